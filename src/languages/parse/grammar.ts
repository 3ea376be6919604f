import { Language as WasmLanguage, Parser, Query } from "web-tree-sitter";
import { assetPath } from "../../kernel/assets.ts";
import type { Grammar } from "../language.ts";
import type { CompiledGrammar } from "./walk-tree.ts";

let runtime: Promise<Parser> | undefined;
const languages = new Map<string, Promise<WasmLanguage>>();
/** The compiled grammars, each without and with its rules for tests. */
const byTests = new Map<Grammar, Map<boolean, Promise<CompiledGrammar>>>();

/**
 * Returns the parser of this thread and a compiled grammar. A grammar is loaded and compiled when it is first used, and
 * its rules for tests when a text first seems to contain tests.
 */
export async function parserFor(
  grammar: Grammar,
  text: string,
): Promise<{ readonly parser: Parser; readonly compiled: CompiledGrammar }> {
  runtime ??= startRuntime();
  // A runtime that failed to load, for example for lack of memory or file descriptors, is loaded again at the next use.
  runtime.catch(() => (runtime = undefined));
  const parser = await runtime;
  const byText = byTests.get(grammar) ?? new Map<boolean, Promise<CompiledGrammar>>();
  byTests.set(grammar, byText);
  const hasTests = grammar.tests?.hint.test(text) === true;
  return { parser, compiled: await once(byText, hasTests, () => compile(grammar, hasTests)) };
}

/** Returns the value of a key and creates it at the first use; a creation that failed is tried again. */
function once<K, V>(known: Map<K, Promise<V>>, key: K, create: () => Promise<V>): Promise<V> {
  const entry = known.get(key) ?? create();
  known.set(key, entry);
  entry.catch(() => known.delete(key));
  return entry;
}

/** Size of a WebAssembly memory page. */
const PAGE = 65_536;
/** Initial memory of the WebAssembly runtime, in pages. */
const FIRST_PAGES = 512;
/**
 * Memory above which the parser is replaced. A real file of 1 MB needs 60 MB for its tree, whereas hostile input that
 * makes a grammar branch endlessly takes all the memory it gets.
 */
const HIGH_BYTES = 256 * 1024 * 1024;
const MAX_PAGES = (512 * 1024 * 1024) / PAGE;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

let memory: WasmMemory | undefined;
let isDead = false;

/** True if the parser of this thread holds more memory than real code needs. WebAssembly never releases memory. */
export function isMemoryHigh(): boolean {
  return memory !== undefined && memory.buffer.byteLength > HIGH_BYTES;
}

/** True if this thread can no longer parse, because its WebAssembly runtime was aborted or holds too much memory. */
export function isRuntimeExhausted(): boolean {
  return isDead || isMemoryHigh();
}

function createMemory(): WasmMemory {
  // A type assertion is needed, because the type declarations of Node describe WebAssembly only in part.
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: { Memory: new (pages: { initial: number; maximum: number }) => WasmMemory };
  };
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES });
}

async function startRuntime(): Promise<Parser> {
  memory = createMemory();
  await Parser.init({
    locateFile: () => assetPath("grammars/web-tree-sitter.wasm"),
    wasmMemory: memory,
    onAbort: () => {
      isDead = true;
    },
    // The WebAssembly runtime must not print, because standard error belongs to the program's log.
    printErr: () => undefined,
  });
  return new Parser();
}

async function compile(grammar: Grammar, hasTests: boolean): Promise<CompiledGrammar> {
  const { wasm, rules, tests } = grammar;
  const language = await once(languages, wasm, () => WasmLanguage.load(assetPath(`grammars/${wasm}`)));
  const entries = [...Object.entries(rules), ...(hasTests ? Object.entries(tests?.rules ?? {}) : [])];
  const patterns = entries.map(([key]) => (key.startsWith("(") ? key : `(${key}) @_`));
  const query = new Query(language, [...patterns, "(ERROR) @_", "(MISSING) @_"].join("\n"));
  return { grammar, query, language, rules: entries.map(([, rule]) => rule) };
}
