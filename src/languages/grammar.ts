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
  // What could not be read once, for want of a file descriptor or of memory, is tried again at the next use.
  runtime.catch(() => (runtime = undefined));
  const parser = await runtime;
  let entry = compiled.get(grammar);
  if (entry === undefined) {
    entry = compile(grammar);
    compiled.set(grammar, entry);
    entry.catch(() => compiled.delete(grammar));
  }
  return { parser, compiled: await entry };
}

/** A page of WebAssembly memory. */
const PAGE = 65_536;
/** What the runtime asks for at its start. */
const FIRST_PAGES = 512;
/** The tree of a real file of 1 MB takes 60 MB; a text that makes a grammar branch without end takes all it gets. */
const HIGH_BYTES = 256 * 1024 * 1024;
const MAX_PAGES = (512 * 1024 * 1024) / PAGE;

interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

let memory: WasmMemory | undefined;
let isDead = false;

/** Whether the parser of this thread holds more memory than any real text needs; memory is never given back. */
export function isMemoryHigh(): boolean {
  return memory !== undefined && memory.buffer.byteLength > HIGH_BYTES;
}

/** Whether this thread can parse no more: its runtime has aborted, or its memory is used up. */
export function isRuntimeSpent(): boolean {
  return isDead || isMemoryHigh();
}

function createMemory(): WasmMemory {
  // The type declarations for Node know WebAssembly only in part.
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
    // Standard error belongs to the program's own log.
    printErr: () => undefined,
  });
  return new Parser();
}

async function compile(grammar: Grammar): Promise<CompiledGrammar> {
  const language = await WasmLanguage.load(assetPath(`grammars/${grammar.wasm}`));
  const entries = Object.entries(grammar.rules);
  const patterns = entries.map(([key]) => (key.startsWith("(") ? key : `(${key}) @_`));
  const query = new Query(language, [...patterns, "(ERROR) @_", "(MISSING) @_"].join("\n"));
  return { grammar, query, language, rules: entries.map(([, rule]) => rule) };
}
