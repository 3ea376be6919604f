import type { Node } from "web-tree-sitter";
import type { SymbolKind } from "../../model/symbol.ts";
import type { Definition, Rule, Scope, Site } from "../language.ts";
import { define, defineValue, endBeforeLongValue, importOf, read, startOf, textOf } from "../parse/rules.ts";
import { testFunction } from "./tests.ts";

/** The rules that C and C++ share for finding definitions in a syntax tree. */
export const C_RULES: Readonly<Record<string, Rule>> = {
  preproc_include: importOf("path"),
  preproc_def: read(macro),
  preproc_function_def: read(macro),
  function_definition: read(functionDefinition, { isFunction: true }),
  declaration: read(declaration, { notLocal: true }),
  field_declaration: read(fieldDeclaration),
  type_definition: read(typeDefinition),
  struct_specifier: record("struct"),
  union_specifier: record("struct"),
  enum_specifier: record("enum"),
  enumerator: defineValue("variant"),
};

/**
 * Creates a rule that defines a struct, union, class or enum if it has a body; without a body it only refers to a type.
 * A type without a name defines nothing but encloses its members.
 */
export function record(kind: SymbolKind): Rule {
  const named = define(kind);
  return {
    role: "define",
    read: (site) => {
      if (site.node.childForFieldName("body") === null) return undefined;
      const found = named.read?.(site);
      if (found === undefined || !("kind" in found)) return undefined;
      return { ...found, ...splitName(found.name) };
    },
  };
}

/** Splits a qualified C++ name: `A::b<T>` gives the name `b` and the owner `A`. */
export function splitName(qualified: string): Pick<Definition, "name" | "owner"> {
  const name = qualified.replace(/\s+/gu, " ").replace(/\s*::\s*/gu, "::");
  const isOperator = /(?:^|::)operator\b/u.exec(name);
  const head = isOperator === null ? name : name.slice(0, isOperator.index);
  const cut = isOperator === null ? lastSeparator(head) : isOperator.index;
  if (cut < 0 || (isOperator !== null && cut === 0 && !name.startsWith("::")))
    return { name: withoutTemplate(name), owner: undefined };
  const owner = name.slice(0, cut).replace(/^::/u, "");
  return {
    name: withoutTemplate(name.slice(cut).replace(/^::/u, "")),
    owner: owner === "" ? undefined : withoutArguments(owner),
  };
}

function lastSeparator(name: string): number {
  let depth = 0;
  for (let at = name.length - 1; at > 0; at -= 1) {
    const code = name.charCodeAt(at);
    if (code === 0x3e) depth += 1;
    else if (code === 0x3c) depth -= 1;
    else if (depth === 0 && code === 0x3a && name.charCodeAt(at - 1) === 0x3a) return at - 1;
  }
  return -1;
}

function withoutTemplate(name: string): string {
  return name.startsWith("operator") ? name : name.replace(/<.*$/su, "").trim();
}

function withoutArguments(owner: string): string {
  let depth = 0;
  let result = "";
  for (const char of owner) {
    if (char === "<") depth += 1;
    if (depth === 0) result += char;
    if (char === ">") depth -= 1;
  }
  return result;
}

function macro({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const end = node.childForFieldName("parameters")?.endIndex ?? at.endIndex;
  const value = node.childForFieldName("value");
  const isShort = value !== null && endBeforeLongValue(value, text) !== value.startIndex;
  return {
    kind: "macro",
    name: textOf(at, text),
    at,
    signatureEnd: isShort && end === at.endIndex ? value.endIndex : end,
  };
}

function functionDefinition(site: Site): Definition | undefined {
  const { node, text, scope } = site;
  const test = testFunction(site);
  if (test !== undefined) return test;
  const declarator = node.childForFieldName("declarator");
  const body = startOf(node.childForFieldName("body"));
  const type = node.childForFieldName("type");
  // The grammar reads the macro in `TEST(name) {…}` as a type, but it is a call and names the definition.
  if (type !== null && declarator?.type === "parenthesized_declarator" && type.type === "type_identifier")
    return isLocal(scope)
      ? undefined
      : { kind: "fn", name: textOf(type, text), at: type, signatureEnd: body };
  const found = declarator === null ? undefined : readDeclarator(declarator);
  if (found === undefined) return undefined;
  const named = splitName(conversionName(type, found.at, text) ?? nameText(found.at, text));
  if (type === null && isLocal(scope) && MACRO_NAME.test(named.name)) return undefined;
  const isMember = named.owner !== undefined || scope?.kind === "class" || scope?.kind === "struct";
  const holder = named.owner?.split("::").at(-1) ?? scope?.name;
  return {
    kind: isMember ? (named.name === holder ? "constructor" : "method") : "fn",
    ...named,
    at: lastName(found.at),
    signatureEnd: body,
    // A definition without parameters is probably not a function but a misread type, such as `struct EXPORTED Name {`.
    isDoubtful: !found.isFunction,
  };
}

/** Matches names in capitals, which most likely belong to macros and not to functions. */
const MACRO_NAME = /^[A-Z][A-Z0-9_]{3,}$/u;

function isLocal(scope: Scope | undefined): boolean {
  return scope?.inFunction === true;
}

/**
 * Returns the name of a conversion operator such as `A::operator bool`; the grammar reads the text before `bool` as a
 * type.
 */
function conversionName(type: Node | null, at: Node, text: string): string | undefined {
  if (type?.type !== "qualified_identifier") return undefined;
  const before = textOf(type, text);
  return /::\s*operator$/u.test(before) ? `${before} ${textOf(at, text)}` : undefined;
}

/** Returns the text of a name; the name of a conversion operator includes its type, as in `operator bool`. */
export function nameText(at: Node, text: string): string {
  if (at.type !== "operator_cast") {
    const inner = at.type === "qualified_identifier" ? at.childForFieldName("name") : null;
    if (inner !== null && inner.type === "operator_cast")
      return text.slice(at.startIndex, inner.startIndex) + nameText(inner, text);
    return textOf(at, text);
  }
  const end = text.indexOf("(", at.startIndex);
  return text.slice(at.startIndex, end < 0 ? at.endIndex : Math.min(end, at.endIndex)).trim();
}

/**
 * Finds the node of the last part of a qualified name, such as `b` in `A::b`; the symbol gets the line of this part.
 */
function lastName(at: Node): Node {
  const inner = at.type === "qualified_identifier" ? at.childForFieldName("name") : null;
  return inner === null ? at : lastName(inner);
}

/**
 * True for a declaration that has no end although more text follows on its line: the grammar then read words of a macro
 * as type and name.
 */
function isCutShort(node: Node, text: string): boolean {
  if (!node.hasError || node.lastChild?.isMissing !== true) return false;
  const lineEnd = text.indexOf("\n", node.endIndex);
  return /\w/u.test(text.slice(node.endIndex, lineEnd < 0 ? text.length : lineEnd));
}

/**
 * Matches `class EXPORTED A;`, which the grammar reads as a variable. After `struct`, the name of a type may have the
 * form of a macro, so only the usual endings of such macros count there.
 */
const FORWARD_DECLARATION =
  /^(?:class\s+[A-Z][A-Z0-9_]*|struct\s+[A-Z0-9_]+_(?:API|EXPORT|PUBLIC|DLL))\s+\w+\s*;$/u;

function declaration({ node, text, scope }: Site): Definition[] {
  if (isCutShort(node, text)) return [];
  if (FORWARD_DECLARATION.test(text.slice(node.startIndex, node.endIndex))) return [];
  const type = node.childForFieldName("type");
  const isExtern = /^\s*extern\b/u.test(text.slice(node.startIndex, node.startIndex + 40));
  return node.childrenForFieldName("declarator").flatMap((declarator) => {
    const found = readDeclarator(declarator);
    if (found === undefined) return [];
    const named = splitName(conversionName(type, found.at, text) ?? nameText(found.at, text));
    // Something that looks like a function declaration but has no type, or has a value, may be a macro call.
    const isCall = found.isFunction && (type === null || found.value !== undefined);
    if (isCall && MACRO_NAME.test(named.name) && named.name !== scope?.name) return [];
    const head = text.slice(node.startIndex, found.at.startIndex);
    const plain: SymbolKind = /\bconst(?:expr)?\b/u.test(head) ? "const" : "var";
    const isMember = scope?.kind === "class" || scope?.kind === "struct";
    const kind = found.isFunction || isExtern ? "prototype" : isMember ? "field" : plain;
    return [
      {
        kind,
        ...named,
        at: lastName(found.at),
        signatureEnd: endBeforeLongValue(found.value ?? null, text),
      },
    ];
  });
}

function fieldDeclaration({ node, text }: Site): Definition[] {
  return node.childrenForFieldName("declarator").flatMap((declarator) => {
    const found = readDeclarator(declarator);
    if (found === undefined) return [];
    const kind = found.isFunction ? "prototype" : "field";
    return [{ kind, name: nameText(found.at, text), at: found.at }];
  });
}

/**
 * Reads a type definition: `typedef struct {…} name` defines the struct at the lines of its body and the type at the
 * line of the name.
 */
function typeDefinition({ node, text }: Site): Definition[] {
  const type = node.childForFieldName("type");
  const body = type?.childForFieldName("body") ?? null;
  const types = node.childrenForFieldName("declarator").flatMap((declarator): Definition[] => {
    const found = readDeclarator(declarator);
    if (found === undefined) return [];
    const name = textOf(found.at, text);
    if (body === null) return [{ kind: "type", name, at: found.at }];
    return [
      {
        kind: "type",
        name,
        at: found.at,
        isAlias: true,
        signature: `${text.slice(node.startIndex, body.startIndex)} ${name}`,
      },
    ];
  });
  const first = types[0];
  if (type === null || body === null || first === undefined || type.childForFieldName("name") !== null)
    return types;
  return [
    { ...first, kind: type.type === "enum_specifier" ? "enum" : "struct", at: type, isAlias: false },
    ...types,
  ];
}

/** Keywords of C that may appear in the place of names when the grammar misreads unknown macros. */
export const C_WORDS: ReadonlySet<string> = new Set(
  "struct union enum if else for while do switch return sizeof defined void char short int long float double signed unsigned const volatile static extern inline register typedef".split(
    " ",
  ),
);

/** The name that a declarator declares, and whether it is a function: `*(*name)(int)` declares `name` as a pointer. */
interface Declared {
  readonly at: Node;
  readonly isFunction: boolean;
  /** The initial value of the declared name, if there is one. */
  readonly value?: Node;
}

const NAMES: ReadonlySet<string> = new Set([
  "identifier",
  "field_identifier",
  "type_identifier",
  "qualified_identifier",
  "operator_name",
  "destructor_name",
  "operator_cast",
  "template_function",
  "template_method",
  "primitive_type",
]);

/** Follows a C or C++ declarator inward to its name. */
function readDeclarator(declarator: Node): Declared | undefined {
  let node: Node | null = declarator;
  let isFunction = false;
  let value: Node | null = null;
  // The number of steps is limited, because deeper nesting of declarators occurs only in hostile input.
  for (let steps = 0; node !== null && steps < 50; steps += 1) {
    const type: string = node.type;
    if (NAMES.has(type)) {
      const isCast = type === "operator_cast";
      return { at: node, isFunction: isFunction || isCast, ...(value === null ? {} : { value }) };
    }
    if (type === "init_declarator") value = node.childForFieldName("value");
    if (type === "function_declarator") isFunction = true;
    else if (type === "pointer_declarator" || type === "reference_declarator") isFunction &&= !isNested(node);
    node = innerDeclarator(node);
  }
  return undefined;
}

/** True for the pointer in `int (*f)(void)`, whose parentheses make the declaration a variable and not a function. */
function isNested(pointer: Node): boolean {
  return pointer.type === "pointer_declarator" || pointer.type === "reference_declarator";
}

function innerDeclarator(node: Node): Node | null {
  const field = node.childForFieldName("declarator");
  if (field !== null) return field;
  const { type } = node;
  if (!/^(?:parenthesized|reference|attributed|variadic)_declarator$/u.test(type)) return null;
  return node.namedChildren.find((child) => /declarator$|identifier$|name$/u.test(child.type)) ?? null;
}
