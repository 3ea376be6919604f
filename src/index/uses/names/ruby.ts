import type { SymbolKind } from "../../../model/symbol.ts";
import type { NameUse } from "../../../model/use.ts";
import { VALUE } from "../entity.ts";
import { briefOf, symbolAround, TYPE_KINDS, type Definition } from "../definition.ts";
import type { ViewFile } from "../../live/view.ts";
import type { ModuleTree } from "../modules/module-rules.ts";
import type { BaseOrder, NameEntity, NameLookup, NamePlace, NameRules } from "./name-rules.ts";

const TYPES: ReadonlySet<SymbolKind> = new Set<SymbolKind>([...TYPE_KINDS, "module"]);
const CONSTANTS: ReadonlySet<SymbolKind> = new Set<SymbolKind>([...TYPES, "const"]);

/**
 * Ruby: a constant is looked up in the classes and modules around it, then in their ancestors, then at the top. No
 * import names it: `require` only runs a file, and loaders such as Zeitwerk find the file by the name. All constants of
 * a process are in one table, so a full name that the project defines is the proof. Of methods, only those of the own
 * class and its ancestors are known; a method at the top of another file is only possible.
 */
export const rubyNames: NameRules = {
  languages: ["ruby"],
  ownersQualify: true,
  hasImplicitThis: true,
  hasPartialTypes: true,
  hasImplicitReceivers: true,
  hasNestingFirst: true,
  // A method is called on the object itself; the modules around its class have no part in it.
  isOfOwnType: ({ name }) => !CONSTANT.test(name),
  isOfEveryType: (name) => name === "new",
  // `attr_accessor :a` is also used by an assignment, which calls `a=`.
  includesPrevious: (brief, { name, lineStart }) =>
    brief.kind === "property" && brief.name === `${name}=` && brief.lineStart === lineStart,
  otherNames: (name, kind) => (kind === "property" && !name.endsWith("=") ? [`${name}=`] : []),
  baseOrder,
  typeKinds: TYPES,
  overridden: new Set<SymbolKind>(["method", "property"]),
  accepts,
  lookUp,
  isProved,
};

const CONSTANT = /^\p{Lu}/u;

function accepts(kind: SymbolKind, { name }: NameUse): boolean {
  return CONSTANT.test(name) === CONSTANTS.has(kind);
}

const ORDERS: ReadonlyMap<string, BaseOrder> = new Map([
  ["prepend", "before"],
  ["include", "mixin"],
  ["extend", "extension"],
]);

/** Returns what the word before a base type says, as `include` does in `include A, B::C`; a class may have no other one. */
function baseOrder(uses: readonly NameUse[], position: number): BaseOrder {
  const line = uses[position]?.line;
  for (let before = position - 1; uses[before]?.line === line; before--) {
    const order = ORDERS.get(uses[before]?.name ?? "");
    if (order !== undefined) return order;
  }
  return "superclass";
}

async function lookUp(lookup: NameLookup, place: NamePlace): Promise<readonly NameEntity[]> {
  const found = await lookup.membersOf("", place.use.name, place);
  if (CONSTANT.test(place.use.name)) {
    const isDefined = found.some(({ kind }) => kind === "definition");
    return !isDefined && CORE.has(place.use.name) ? [{ kind: "outside" }] : found;
  }
  const own = found.filter(
    (one) => one.kind === "definition" && one.definition.file.path === place.file.path,
  );
  if (own.length > 0) return own;
  // A class that defines none has the one that every class has.
  if (place.use.name === "new") return VALUE;
  return [...found.filter(({ kind }) => kind === "definition"), { kind: "unknown" }];
}

/** Constants that every Ruby program has. */
const CORE: ReadonlySet<string> = new Set(
  `ARGF ARGV Array BasicObject Binding Class Comparable Complex Data Dir ENV Encoding Enumerable Enumerator Errno Exception
  FalseClass Fiber File FileTest Float FrozenError GC Gem Hash IO IOError IndexError Integer Interrupt Kernel KeyError
  LoadError LocalJumpError Marshal MatchData Math Method Module Mutex NameError NilClass NoMatchingPatternError
  NoMethodError NotImplementedError Numeric Object ObjectSpace Proc Process Queue Ractor Random Range RangeError Rational
  Regexp RegexpError RubyVM RUBY_ENGINE RUBY_PLATFORM RUBY_VERSION RuntimeError STDERR STDIN STDOUT ScriptError
  SecurityError Set Signal SignalException SizedQueue StandardError StopIteration String Struct Symbol SyntaxError
  SystemCallError SystemExit SystemStackError TOPLEVEL_BINDING Thread ThreadError ThreadGroup Time TracePoint TrueClass
  TypeError UnboundMethod UncaughtThrowError Warning ZeroDivisionError ArgumentError EncodingError EOFError FiberError
  FloatDomainError ConditionVariable ClosedQueueError DATA`.split(/\s+/u),
);

const METHODS: ReadonlySet<SymbolKind> = new Set(["method", "property"]);

/**
 * A method of a class itself (`def self.a`) and one of its objects are different things: code in a method calls those
 * of its own sort, and a constant before the name calls one of the class.
 */
async function isProved(
  { tree }: NameLookup,
  { file, use }: NamePlace,
  definition: Definition,
): Promise<boolean> {
  const brief = briefOf(tree.view, definition);
  if (brief === undefined || !METHODS.has(brief.kind)) return true;
  if (await isModuleFunction(tree, definition)) return true;
  const isOfClass = await isSingleton(tree, definition.file, brief.lineStart);
  if (use.receiver === "previous") return isOfClass;
  const { symbols } = tree.view.documentOf(file);
  const around =
    symbols[symbolAround(symbols, use.line, ({ kind }) => kind === "method" || kind === "constructor")];
  const isInClass = around === undefined || (await isSingleton(tree, file, around.lineStart));
  return isInClass === isOfClass;
}

/** Returns true for a method of a module that is one of its objects, too: `extend self`, `module_function`. */
async function isModuleFunction(tree: ModuleTree, { file, symbol }: Definition): Promise<boolean> {
  const { symbols } = tree.view.documentOf(file);
  const brief = symbols[symbol];
  const around = symbols[brief?.parent ?? -1];
  if (brief === undefined || around?.kind !== "module") return false;
  const lines = (await tree.textOf(file.path))?.split("\n") ?? [];
  for (let line = around.lineStart; line < around.lineEnd; line++) {
    const [, word, names = ""] = /^\s*(extend|module_function)\b(.*)$/u.exec(lines[line] ?? "") ?? [];
    // A module inside of this one extends itself.
    if (
      word === undefined ||
      symbols[symbolAround(symbols, line + 1, ({ kind }) => TYPES.has(kind))] !== around
    )
      continue;
    if (word === "extend" && /^[\s(]+self\b/u.test(names)) return true;
    if (word === "module_function" && isNamed(names, brief.name, line < brief.lineStart)) return true;
  }
  return false;
}

/** Returns true if what follows `module_function` is a name; without names it is about the methods below. */
function isNamed(names: string, name: string, isAbove: boolean): boolean {
  const found: readonly string[] = names.replace(/#.*$/u, "").match(/[\p{L}_][\p{L}\p{N}_]*[?!]?/gu) ?? [];
  return found.length === 0 ? isAbove : found.includes(name);
}

/** Returns true if the method on this line belongs to the class itself: `def self.a`, or inside of `class << self`. */
async function isSingleton(tree: ModuleTree, file: ViewFile, line: number): Promise<boolean> {
  const lines = (await tree.textOf(file.path))?.split("\n") ?? [];
  const own = lines[line - 1] ?? "";
  if (/\bdef\s+(?:self|\p{Lu}\w*)\s*\./u.test(own)) return true;
  const indent = own.search(/\S/u);
  for (let above = line - 2; above >= 0 && above > line - MAX_LINES; above--) {
    const text = lines[above] ?? "";
    const column = text.search(/\S/u);
    // The nearest line that is indented less opens the block around the method.
    if (column >= 0 && column < indent && /^\s*(?:class|module|def)\b/u.test(text))
      return /^\s*class\s*<</u.test(text);
  }
  return false;
}

/** Number of lines that are searched for the beginning of the class around a method. */
const MAX_LINES = 5_000;
