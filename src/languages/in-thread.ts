import type { Parser, Range } from "web-tree-sitter";
import type { CodeSymbol, ImportedName, Outline } from "../model/symbol.ts";
import { importedName } from "./imported-name.ts";
import { joined, sidesOf } from "./conflict.ts";
import { startDeadline } from "./deadline.ts";
import { isMemoryHigh, parserFor } from "./grammar.ts";
import type { EmbeddedPart, Grammar, Language, Scanner } from "./language.ts";
import { mended } from "./mend.ts";
import { variantsOf } from "./preprocessor.ts";
import { hungInto, inLineOrder } from "./order.ts";
import { type ErrorRange, headsIn } from "./recover.ts";
import { languageById } from "./registry.ts";
import { nested } from "./scan.ts";
import { type CompiledGrammar, type Walked, walkTree } from "./walk.ts";

/**
 * Parses a text in the calling thread. A grammar that runs out of memory aborts the runtime of the thread and
 * throws.
 */
export async function outlineInThread(
  text: string,
  languageId: string,
  deadlineMs: number,
): Promise<Outline> {
  const language = languageById(languageId);
  if (language === undefined || text === "")
    return { language: languageId, symbols: [], imports: [], hasErrors: false };
  const isOver = startDeadline(deadlineMs);
  const refined = language.refine?.(text);
  const spoken = (refined === undefined ? undefined : languageById(refined)) ?? language;
  const sides = sidesOf(text);
  if (sides === undefined) return read(text, spoken, isOver);
  const own = await read(sides.own, spoken, isOver);
  return joined(own, await read(sides.other, spoken, isOver), sides.otherLines);
}

async function read(text: string, { id, outline: by }: Language, isOver: () => boolean): Promise<Outline> {
  if (by.by === "scanner") return scanned(text, { id, scanner: by, isOver });
  const task = { id, grammar: by, isOver };
  if (by.branches === undefined) return parsed(text, task);
  const [first, ...others] = variantsOf(text, by.branches);
  let outline = await parsed(first.text, task, first.code);
  for (const other of others)
    outline = joined(outline, await parsed(other.text, task, other.code), other.lines);
  if (first.macros.length === 0) return outline;
  return { ...outline, symbols: inLineOrder([...outline.symbols, ...first.macros]) };
}

interface ParseTask {
  readonly id: string;
  readonly grammar: Grammar;
  readonly isOver: () => boolean;
}

/** Parses `code`, a version of the text with equal offsets. */
async function parsed(
  text: string,
  { id, grammar, isOver }: ParseTask,
  code: string = text,
): Promise<Outline> {
  const { parser, compiled } = await parserFor(grammar);
  parser.setLanguage(compiled.language);
  const prepared = grammar.prepare?.(code) ?? code;
  const context = { parser, compiled, isOver, text };
  const first = { prepared, walked: parseOnce(prepared, context) };
  const best =
    first.walked.errors.length > 0 ? mended(first, grammar, (text) => parseOnce(text, context)) : first;
  const { symbols, imports, hasErrors } = withInner(best.walked, best.prepared, context);
  return { language: id, symbols, imports, hasErrors };
}

interface ParseContext {
  readonly parser: Parser;
  readonly compiled: CompiledGrammar;
  readonly isOver: () => boolean;
  /** The original text; parts of the parsed version may be blanked. */
  readonly text: string;
}

/** Macro calls may nest, but not deeper than this in real code. */
const MAX_INNER_DEPTH = 3;

/**
 * Adds the definitions inside macro calls, parsed on their own. If such a part does not parse, only its leading
 * keywords count.
 */
function withInner(outer: Walked, prepared: string, context: ParseContext, depth = 0): Walked {
  if (outer.inner.length === 0 || depth >= MAX_INNER_DEPTH) return outer;
  let { symbols } = outer;
  const imports = [...outer.imports];
  for (const range of outer.inner) {
    const part = parseOnce(prepared, context, range);
    const { grammar } = context.compiled;
    const whole = part.hasErrors ? undefined : withInner(part, prepared, context, depth + 1);
    const found = whole?.symbols ?? headsIn(range, context.text, grammar);
    symbols = hungInto(symbols, found, grammar.separator);
    imports.push(...(whole?.imports ?? []));
  }
  return { ...outer, symbols: inLineOrder(symbols), imports };
}

/** Error range for a parse that was aborted. */
const EVERYTHING: ErrorRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

function parseOnce(prepared: string, context: ParseContext, range?: Range): Walked {
  const { parser, compiled, isOver, text } = context;
  const isLate = (): boolean => isOver() || isMemoryHigh();
  const ranges = range === undefined ? {} : { includedRanges: [range] };
  const tree = parser.parse(prepared, null, { progressCallback: isLate, ...ranges });
  if (tree === null) {
    parser.reset();
    return { symbols: [], imports: [], hasErrors: true, errors: [EVERYTHING], inner: [] };
  }
  try {
    return walkTree(tree, text, compiled, isLate);
  } finally {
    tree.delete();
  }
}

async function scanned(
  text: string,
  { id, scanner, isOver }: { id: string; scanner: Scanner; isOver: () => boolean },
): Promise<Outline> {
  const found = scanner.scan(text);
  const symbols: CodeSymbol[] = nested(found.symbols, scanner.separator);
  const imports: ImportedName[] = [...(found.imports ?? [])];
  let hasErrors = found.hasErrors ?? false;
  for (const part of found.parts ?? []) {
    const inner = await partOutline(text, part, isOver);
    if (inner === undefined) continue;
    hasErrors ||= inner.hasErrors;
    append(symbols, inner.symbols);
    imports.push(...inner.imports);
  }
  return { language: id, symbols: inLineOrder(symbols), imports, hasErrors };
}

/** Parses an embedded part and shifts its line numbers to those of the whole text. */
async function partOutline(
  text: string,
  part: EmbeddedPart,
  isOver: () => boolean,
): Promise<Outline | undefined> {
  const language = languageById(part.language);
  if (language === undefined) return undefined;
  const outline = await read(text.slice(part.start, part.end), language, isOver);
  const above = linesBefore(text, part.start);
  return {
    ...outline,
    symbols: outline.symbols.map((symbol) => ({
      ...symbol,
      lineStart: symbol.lineStart + above,
      lineEnd: symbol.lineEnd + above,
    })),
    imports: outline.imports.map(({ source, line, lineEnd = line }) =>
      importedName(source, line + above, lineEnd + above),
    ),
  };
}

/** Appends the symbols of a part, whose parents are indexes into its own list. */
function append(symbols: CodeSymbol[], part: readonly CodeSymbol[]): void {
  const offset = symbols.length;
  for (const symbol of part)
    symbols.push(symbol.parent === undefined ? symbol : { ...symbol, parent: symbol.parent + offset });
}

function linesBefore(text: string, end: number): number {
  let lines = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
