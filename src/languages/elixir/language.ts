import type { Visibility } from "../../model/symbol.ts";
import { scanIndented } from "../indented.ts";
import type { IndentedRule, IndentedShape } from "../indented-shape.ts";
import type { Language } from "../language.ts";

/**
 * Matches the name of a defined function, which is followed by arguments, a guard or a body. A name before an operator
 * is an argument of that operator and is not matched.
 */
const NAME = String.raw`(?!unquote\b)(?<name>[a-z_]\w*[?!]?)(?=\(|,|\s+(?:do|when)\b|$)`;
const MODULE = String.raw`(?<name>[A-Z][\w.]*)`;

function visibility({ groups }: RegExpExecArray): Visibility {
  return groups?.["hidden"] === undefined ? "public" : "private";
}

function rule(kind: IndentedRule["kind"], words: string, name: string): IndentedRule {
  return { kind, pattern: new RegExp(`^${words}\\s+${name}`, "u"), visibility };
}

const SHAPE: IndentedShape = {
  comments: { line: ["#"] },
  separator: ".",
  rules: [
    rule("module", "defmodule", MODULE),
    rule("interface", "defprotocol", MODULE),
    rule("impl", "defimpl", MODULE),
    rule("fn", "(?:def|defdelegate|defn|(?<hidden>defp|defnp))", NAME),
    rule("macro", "(?:defmacro|defguard|(?<hidden>defmacrop|defguardp))", NAME),
    rule("type", "@(?:type|opaque|(?<hidden>typep))", String.raw`(?<name>[a-z_]\w*)(?=\(|\s*::)`),
    { kind: "suite", pattern: /^describe\s*\(?\s*(?<name>"(?:[^"\\]|\\.)*")/u },
    { kind: "test", pattern: /^(?:test|property|feature)\s*\(?\s*(?<name>"(?:[^"\\]|\\.)*")/u },
    rule("method", "@(?:macro)?callback", String.raw`(?<name>[a-z_]\w*[?!]?)(?=\(|\s*::)`),
  ],
  imports: /^(?:alias|import|require|use)\s+([A-Z]\w*(?:\.[A-Z]\w*)*)/u,
  hidden: /~[a-zA-Z]+"""[\s\S]*?(?:"""|$)|"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)/gu,
  continues: /^(?:rescue|catch|else|after)\b|^[)\]}]/u,
  closes: /^end\b/u,
  around: /(?:,\s*do:[\s\S]*|\s+do|\s*::)$/gu,
  docs: {
    next: /^@(?:type)?doc\b/u,
    outer: /^@moduledoc\b/u,
    text: /^@\w+\s+(?:~[a-zA-Z]+)?"{1,3}([^"]*)/u,
  },
};

/**
 * Elixir, scanned by its `def` keywords. The scanner relies on indentation, which the formatter of Elixir guarantees.
 */
export const elixir: Language = {
  id: "elixir",
  name: "Elixir",
  extensions: [".ex", ".exs"],
  interpreters: ["elixir"],
  holds:
    "modules, protocols and their implementations, functions, macros, guards, types, callbacks, ExUnit tests",
  outline: { by: "scanner", separator: SHAPE.separator, scan: (text) => scanIndented(text, SHAPE) },
};
