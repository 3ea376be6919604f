import type { Node } from "web-tree-sitter";
import type { Visibility } from "../../model/symbol.ts";
import type { Definition, Language, Rule, Site } from "../language.ts";
import {
  anonymousScope,
  define,
  endBeforeLongValue,
  read,
  startOf,
  textOf,
  unquoted,
  wrap,
} from "../parse/rules.ts";
import { RUBY_TESTS } from "./tests.ts";

const classBodyCall: Rule = read(classBodyCallDefinitions);
const conditionalCall: Rule = read(classBodyCallDefinitions, { notLocal: true });

/** Ruby, with qualified names in its own notation: `Module::Class#method` and `Class.singleton`. */
export const ruby: Language = {
  id: "ruby",
  name: "Ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru", ".rbi", ".jbuilder", ".podspec"],
  fileNames: [
    "rakefile",
    "gemfile",
    "guardfile",
    "capfile",
    "vagrantfile",
    "podfile",
    "fastfile",
    "brewfile",
    "dangerfile",
  ],
  interpreters: ["ruby", "jruby", "rake"],
  holds:
    "modules, classes, methods, singleton methods, attributes, aliases, constants, tests of RSpec and minitest",
  outline: {
    by: "grammar",
    wasm: "tree-sitter-ruby.wasm",
    separator: "::",
    comments: { line: ["#"] },
    keywords: { class: "class", module: "module", def: "fn" },
    visibility: (_name, _head, scope) => (scope === undefined ? undefined : "public"),
    tests: RUBY_TESTS,
    rules: {
      module: read(typeDefinition("module")),
      class: read(typeDefinition("class")),
      singleton_class: anonymousScope,
      method: read(method, { isFunction: true }),
      singleton_method: read(singletonMethod, { isFunction: true }),
      alias: read(alias),
      assignment: read(constant),
      "(body_statement (identifier) @_)": { role: "define", access: accessWord },
      "(call arguments: (argument_list [(method) (singleton_method)])) @_": wrap,
      "(body_statement (call) @_)": classBodyCall,
      "(program (call) @_)": classBodyCall,
      // Matches calls, such as `attr_reader`, in a class whose `end` is missing.
      "(ERROR (call) @_)": conditionalCall,
      // Matches calls, such as `require`, in the branches of a condition, which may also be inside a method.
      "(then (call) @_)": conditionalCall,
      "(else (call) @_)": conditionalCall,
    },
  },
};

function typeDefinition(kind: "class" | "module") {
  const plain = define(kind);
  return (site: Site): Definition | undefined => {
    const found = plain.read?.(site);
    if (found === undefined || !("kind" in found)) return undefined;
    const superclass = site.node.childForFieldName("superclass");
    const cut = found.name.lastIndexOf("::");
    const signatureEnd = superclass?.endIndex ?? found.at?.endIndex;
    if (cut < 0) return { ...found, signatureEnd };
    return { ...found, name: found.name.slice(cut + 2), owner: found.name.slice(0, cut), signatureEnd };
  };
}

function accessWord({ node, text }: Site): Visibility | undefined {
  const word = textOf(node, text);
  return word === "private" || word === "protected" || word === "public" ? word : undefined;
}

function method({ node, text, scope, head }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  const isMember = scope?.kind === "class" || scope?.kind === "module" || scope?.kind === "anonymous";
  const name = textOf(at, text);
  const word = /\b(private|protected)\s*\(?\s*$/u.exec(head())?.[1];
  return {
    kind: !isMember ? "fn" : name === "initialize" ? "constructor" : "method",
    name,
    at,
    joint: scope?.kind === "anonymous" ? "." : "#",
    signatureEnd: signatureEnd(node, at),
    visibility: word === "private" || word === "protected" ? word : undefined,
  };
}

function singletonMethod({ node, text, scope }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  const object = node.childForFieldName("object");
  if (at === null || object === null) return undefined;
  const named = textOf(object, text);
  const owner = named === "self" || named === scope?.name ? undefined : named;
  return {
    kind: "method",
    name: textOf(at, text),
    at,
    owner,
    joint: ".",
    signatureEnd: signatureEnd(node, at),
    visibility: "public",
  };
}

function signatureEnd(node: Node, at: Node): number {
  return node.childForFieldName("parameters")?.endIndex ?? at.endIndex;
}

function alias({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("name");
  if (at === null) return undefined;
  return { kind: "method", name: textOf(at, text).replace(/^:/u, ""), at, joint: "#" };
}

function constant({ node, text }: Site): Definition | undefined {
  const at = node.childForFieldName("left");
  if (at === null || at.type !== "constant") return undefined;
  const value = node.childForFieldName("right");
  const block = value?.childForFieldName("block") ?? null;
  const written = value === null ? "" : textOf(value, text);
  // `A = Class.new(B)` is a class without a body, as errors often are.
  const isType =
    block === null
      ? /^Class\.new\b[ (]*(?:::)?\p{Lu}[\p{L}\p{N}_:]*\)?$/u.test(written)
      : /^(?:Class|Module|Struct|Data)\./u.test(written);
  return {
    kind: isType ? "class" : "const",
    name: textOf(at, text),
    at,
    signatureEnd: block !== null && isType ? startOf(block) : endBeforeLongValue(value, text),
  };
}

const ATTRIBUTES = /^(?:[cm]|thread_m)?attr(?:_(?:internal_)?(accessor|reader|writer))?$/u;

/**
 * Reads calls that define methods, such as `attr_reader :a`, `alias_method :a, :b` and `define_method(:a)`, and imports
 * with `require`.
 */
function classBodyCallDefinitions({ node, text }: Site): Definition[] {
  const called = node.childForFieldName("method");
  const list = node.childForFieldName("arguments");
  if (called === null || list === null || node.childForFieldName("receiver") !== null) return [];
  const word = textOf(called, text);
  if (/^(?:require|require_relative|load|autoload)$/u.test(word)) {
    const source = list.namedChildren.at(-1);
    return source?.type === "string" ? [{ kind: "import", name: unquoted(textOf(source, text)) }] : [];
  }
  const names = list.namedChildren.filter((child) =>
    /^(?:simple_symbol|delimited_symbol|string)$/u.test(child.type),
  );
  const attribute = ATTRIBUTES.exec(word);
  if (attribute !== null) return names.flatMap((at) => attributes(at, attribute[1], text));
  const first = names[0];
  if (first === undefined || (word !== "alias_method" && word !== "define_method")) return [];
  const signatureEnd = startOf(node.childForFieldName("block"));
  return [{ kind: "method", name: symbolName(first, text), at: first, joint: "#", signatureEnd }];
}

/**
 * Returns the methods that an `attr_…` call defines: a reader has the name of the attribute, and a writer has the same
 * name with `=`.
 */
function attributes(at: Node, access: string | undefined, text: string): Definition[] {
  const name = symbolName(at, text);
  const names = access === "accessor" ? [name, `${name}=`] : access === "writer" ? [`${name}=`] : [name];
  return names.map((method) => ({ kind: "property", name: method, at, joint: "#" }));
}

function symbolName(at: Node, text: string): string {
  const name = textOf(at, text).replace(/^:/u, "");
  return /^["']/u.test(name) ? unquoted(name) : name;
}
