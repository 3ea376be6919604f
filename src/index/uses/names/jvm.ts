import type { SymbolKind } from "../../../model/symbol.ts";
import { isCall, type NameUse } from "../../../model/use.ts";
import { TYPE_KINDS } from "../definition.ts";
import { importedNames } from "./imported-names.ts";
import type { NameEntity, NameLookup, NamePlace, NameRules } from "./name-rules.ts";

/**
 * Java and Kotlin: a file declares its package, and sees all names of it, wherever the other files are. An import names
 * a type, a static member (or in Kotlin a function or property) by its full name, or everything in a package or type.
 */
export const jvmNames: NameRules = {
  languages: ["java"],
  fileNamespace: "module",
  hasLowerCaseMembers: true,
  hasImplicitThis: true,
  hasOverloads: true,
  companions: ["Companion"],
  overridden: new Set<SymbolKind>(["method"]),
  accepts,
  lookUp,
  builtIn: (name) => BUILT_IN.get(name),
};

/** Words after the dot of a type: `Outer.this` and `Base.super` are objects of the type, `Type.class` is none. */
const BUILT_IN: ReadonlyMap<string, "itself" | "outside"> = new Map([
  ["this", "itself"],
  ["super", "itself"],
  ["class", "outside"],
]);

const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["method", "fn", "constructor", "macro"]);

const VARIABLES: ReadonlySet<SymbolKind> = new Set(["field", "const", "variant"]);

/**
 * Methods and variables can have the same name, and only a call, or a reference such as `this::run`, tells them apart.
 * The elements of an annotation are methods that are written like variables.
 */
function accepts(kind: SymbolKind, { role, receiver }: NameUse): boolean {
  if (role === "import" || receiver === "key") return true;
  if (role === "type" || role === "inheritance" || role === "decorator")
    return receiver !== "none" || TYPE_KINDS.has(kind);
  return isCall(role) ? !VARIABLES.has(kind) : !FUNCTIONS.has(kind);
}

/** Names are looked up in this order: imports of one name, the package, imports of everything. */
async function lookUp(lookup: NameLookup, place: NamePlace): Promise<readonly NameEntity[]> {
  const { file, use, namespace } = place;
  const { links } = await lookup.tree.factsOf(file);
  const bound = await importedNames(lookup, place, links);
  if (bound.length > 0) return bound;
  const own = await lookup.membersOf(namespace, use.name, place);
  if (own.some(({ kind }) => kind === "definition")) return own;
  for (const { module, all } of links) {
    if (!all) continue;
    const found = await lookup.membersOf(module, use.name, place);
    if (found.some(({ kind }) => kind === "definition")) return found;
  }
  if (JAVA_LANG.has(use.name)) return [{ kind: "outside" }];
  const first: NameEntity = { kind: "namespace", name: use.name, isGuess: true };
  // An import of everything from a dependency may bring in the name.
  const isExplained = links.some(({ module, all }) => all && !lookup.table.owns(module));
  return isExplained ? [first] : [first, { kind: "missing" }];
}

/** The types of `java.lang`, which need no import. */
const JAVA_LANG: ReadonlySet<string> = new Set(
  `Appendable AutoCloseable CharSequence Cloneable Comparable Iterable Readable Runnable ProcessHandle StringTemplate
  Boolean Byte Character Class ClassLoader ClassValue Compiler Double Enum Float InheritableThreadLocal Integer Long Math
  Module ModuleLayer Number Object Package Process ProcessBuilder Record Runtime RuntimePermission ScopedValue
  SecurityManager Short StackTraceElement StackWalker StrictMath String StringBuffer StringBuilder System Thread
  ThreadGroup ThreadLocal Throwable Void ArithmeticException ArrayIndexOutOfBoundsException ArrayStoreException
  ClassCastException ClassNotFoundException CloneNotSupportedException EnumConstantNotPresentException Exception
  IllegalAccessException IllegalArgumentException IllegalCallerException IllegalMonitorStateException
  IllegalStateException IllegalThreadStateException IndexOutOfBoundsException InstantiationException
  InterruptedException LayerInstantiationException MatchException NegativeArraySizeException NoSuchFieldException
  NoSuchMethodException NullPointerException NumberFormatException ReflectiveOperationException RuntimeException
  SecurityException StringIndexOutOfBoundsException TypeNotPresentException UnsupportedOperationException
  WrongThreadException AbstractMethodError AssertionError BootstrapMethodError ClassCircularityError ClassFormatError
  Error ExceptionInInitializerError IllegalAccessError IncompatibleClassChangeError InstantiationError InternalError
  LinkageError NoClassDefFoundError NoSuchFieldError NoSuchMethodError OutOfMemoryError StackOverflowError ThreadDeath
  UnknownError UnsatisfiedLinkError UnsupportedClassVersionError VerifyError VirtualMachineError Deprecated
  FunctionalInterface Override SafeVarargs SuppressWarnings`.split(/\s+/u),
);
