import type { Node } from "web-tree-sitter";
import type { SymbolKind, Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Rule, Scope, Site } from "../language.ts";
import { anonymousFunction, define, defineValue, read, startOf, textOf } from "../parse/rules.ts";

/** Rust. An impl block is a symbol too, and its functions are qualified by its type. */
export const rust: Language = {
  id: "rust",
  name: "Rust",
  extensions: [".rs"],
  interpreters: ["rust-script"],
  holds:
    "modules, functions, methods, structs, unions, enums and variants, fields, traits, impls, type aliases, constants, statics, macros",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-rust.wasm",
    separator: "::",
    comments: { line: ["//"], block: ["/*", "*/"] },
    keywords: {
      fn: "fn",
      struct: "struct",
      enum: "enum",
      trait: "trait",
      mod: "module",
      union: "struct",
    },
    visibility,
    rules: {
      mod_item: define("module"),
      function_item: define(functionKind),
      function_signature_item: define(functionKind),
      closure_expression: anonymousFunction,
      struct_item: read(record("struct")),
      union_item: define("struct"),
      enum_item: define("enum"),
      enum_variant: read(record("variant")),
      field_declaration: define("field", { body: "none" }),
      trait_item: define("trait"),
      impl_item: read(impl),
      type_item: defineValue("type", { value: "type" }),
      associated_type: define("type", { body: "none" }),
      const_item: defineValue("const"),
      static_item: defineValue("var"),
      macro_definition: read(macro),
      macro_invocation: { role: "define", notLocal: true, inside: macroItems },
      use_declaration: read(imported),
      extern_crate_declaration: read(imported),
    },
  },
};

/**
 * Creates a reader for structs and similar types. Fields without names, as in `struct A(u8)`, are part of the
 * signature.
 */
function record(kind: SymbolKind): NonNullable<Rule["read"]> {
  return ({ node, text }) => {
    const at = node.childForFieldName("name");
    if (at === null) return undefined;
    const body = node.childForFieldName("body");
    const signatureEnd = body?.type === "field_declaration_list" ? body.startIndex : undefined;
    return { kind, name: textOf(at, text), at, signatureEnd };
  };
}

function functionKind({ scope }: Site): SymbolKind {
  return scope?.kind === "impl" || scope?.kind === "trait" ? "method" : "fn";
}

function visibility(_name: string, head: string, scope: Scope | undefined): Visibility | undefined {
  if (/^impl\b/u.test(head)) return undefined;
  const found = /\bpub\b\s*(\()?/u.exec(head);
  if (found !== null) return found[1] === undefined ? "public" : "internal";
  return scope?.kind === "trait" || scope?.kind === "enum" || scope?.kind === "variant"
    ? "public"
    : "private";
}

function impl({ node, text }: Site): Definition | undefined {
  const type = node.childForFieldName("type");
  if (type === null) return undefined;
  const at = baseType(type);
  return { kind: "impl", name: textOf(at, text), at, signatureEnd: startOf(node.childForFieldName("body")) };
}

/**
 * Finds the node of the type itself inside references, paths and arrays: `Map` in `std::Map<K, V>`, `&Map` and `[Map]`.
 */
function baseType(type: Node): Node {
  const inner =
    type.childForFieldName("name") ?? type.childForFieldName("type") ?? type.childForFieldName("element");
  return inner === null ? type : baseType(inner);
}

function macro({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  return { kind: "macro", name: textOf(at, text), at, signatureEnd: at.endIndex, visibility: "public" };
}

/**
 * Matches brackets of a macro call that contain an item, such as a function or a struct; otherwise they contain an
 * expression.
 */
const ITEM =
  /^[([]\s*(?:(?:\/\/[^\n]*|#\[[^\n]*\])\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:fn|struct|enum|trait|static|unsafe fn|async fn|const fn)\s/u;

/** Finds the part of a macro call that contains items: `cfg_rt! { pub fn … }` and `define!(pub struct …)`. */
function macroItems({ node, text }: Site): Node | undefined {
  const tokens = node.lastNamedChild;
  if (tokens === null || tokens.type !== "token_tree") return undefined;
  if (text[tokens.startIndex] !== "{") return ITEM.test(textOf(tokens, text)) ? tokens : undefined;
  return /\b(?:fn|struct|enum|trait|impl|mod|const|static|type)\b/u.test(textOf(tokens, text))
    ? tokens
    : undefined;
}

function imported({ node, text }: Site): Definition | undefined {
  const source = node.childForFieldName("argument") ?? node.childForFieldName("name");
  return source === null ? undefined : { kind: "import", name: textOf(source, text).replace(/\s+/gu, " ") };
}
