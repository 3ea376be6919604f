import { Language as WasmLanguage, Parser, Query } from "web-tree-sitter";
import { assetPath } from "../kernel/assets.ts";
import type { Grammar } from "./language.ts";
import type { CompiledGrammar } from "./walk.ts";

let runtime: Promise<Parser> | undefined;
const compiled = new Map<Grammar, Promise<CompiledGrammar>>();

/** The parser of this thread, set to the grammar; each grammar is read and compiled at its first use. */
export async function parserFor(
  grammar: Grammar,
): Promise<{ readonly parser: Parser; readonly compiled: CompiledGrammar }> {
  runtime ??= startRuntime();
  const parser = await runtime;
  let entry = compiled.get(grammar);
  if (entry === undefined) {
    entry = compile(grammar);
    compiled.set(grammar, entry);
  }
  return { parser, compiled: await entry };
}

async function startRuntime(): Promise<Parser> {
  await Parser.init({ locateFile: () => assetPath("grammars/web-tree-sitter.wasm") });
  return new Parser();
}

async function compile(grammar: Grammar): Promise<CompiledGrammar> {
  const language = await WasmLanguage.load(assetPath(`grammars/${grammar.wasm}`));
  const entries = Object.entries(grammar.rules);
  const patterns = entries.map(([key]) => (key.startsWith("(") ? key : `(${key}) @_`));
  const query = new Query(language, [...patterns, "(ERROR) @_"].join("\n"));
  return { grammar, query, language, rules: entries.map(([, rule]) => rule) };
}
