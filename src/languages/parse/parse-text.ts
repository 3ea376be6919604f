import type { Parser, Range } from "web-tree-sitter";
import type { CodeSymbol, ImportedName, Outline } from "../../model/symbol.ts";
import { importedName } from "../imported-name.ts";
import { mergeOutlines, splitConflict } from "../repair/merge-conflict.ts";
import { startCpuDeadline } from "../../kernel/cpu-deadline.ts";
import { isMemoryHigh, parserFor } from "./grammar.ts";
import type { EmbeddedPart, Grammar, Language, Scanner } from "../language.ts";
import { repairText } from "../repair/repair-text.ts";
import { readVariants } from "../preprocessor/variants.ts";
import { attachSymbols, nestSymbols, sortByLine } from "./symbol-tree.ts";
import { type ErrorRange, findHeads } from "../repair/recover-symbols.ts";
import { languageById } from "../registry.ts";
import { type CompiledGrammar, type Walked, walkTree } from "./walk-tree.ts";

/**
 * Parses a text in the calling thread. It throws if the grammar runs out of memory, and the thread can then no longer
 * parse.
 */
export async function parseText(text: string, languageId: string, deadlineMs: number): Promise<Outline> {
  const language = languageById(languageId);
  if (language === undefined || text === "")
    return { language: languageId, symbols: [], imports: [], hasErrors: false };
  const isOver = startCpuDeadline(deadlineMs);
  const refined = language.refine?.(text);
  const spoken = (refined === undefined ? undefined : languageById(refined)) ?? language;
  const sides = splitConflict(text);
  if (sides === undefined) return readSide(text, spoken, isOver);
  const own = await readSide(sides.own, spoken, isOver);
  return mergeOutlines(own, await readSide(sides.other, spoken, isOver), sides.otherLines);
}

async function readSide(
  text: string,
  { id, outline: by }: Language,
  isOver: () => boolean,
): Promise<Outline> {
  if (by.by === "scanner") return scanText(text, { id, scanner: by, isOver });
  const task = { id, grammar: by, isOver };
  if (by.branches === undefined) return parseCode(text, task);
  const [first, ...others] = readVariants(text, by.branches);
  let outline = await parseCode(first.text, task, first.code);
  for (const other of others)
    outline = mergeOutlines(outline, await parseCode(other.text, task, other.code), other.lines);
  if (first.macros.length === 0) return outline;
  return { ...outline, symbols: sortByLine([...outline.symbols, ...first.macros]) };
}

interface ParseTask {
  readonly id: string;
  readonly grammar: Grammar;
  readonly isOver: () => boolean;
}

/** Parses `code`, which is `text` with some parts replaced with spaces, so that offsets are valid in both. */
async function parseCode(
  text: string,
  { id, grammar, isOver }: ParseTask,
  code: string = text,
): Promise<Outline> {
  const { parser, compiled } = await parserFor(grammar, code);
  parser.setLanguage(compiled.language);
  const prepared = grammar.prepare?.(code) ?? code;
  const context = { parser, compiled, isOver, text };
  const first = { prepared, walked: parseOnce(prepared, context) };
  const best =
    first.walked.errors.length > 0 ? repairText(first, grammar, (text) => parseOnce(text, context)) : first;
  const { symbols, imports, hasErrors } = withInner(best.walked, best.prepared, context);
  // The lines are those of the text as it is written, because a repair moves or hides an error.
  const errorLine = hasErrors ? first.walked.errors[0]?.first : undefined;
  return { language: id, symbols, imports, hasErrors, ...(errorLine !== undefined && { errorLine }) };
}

interface ParseContext {
  readonly parser: Parser;
  readonly compiled: CompiledGrammar;
  readonly isOver: () => boolean;
  /** The original text; in the version that is parsed, some parts may be replaced with spaces. */
  readonly text: string;
}

/** Maximum nesting depth of macro calls whose content is parsed; deeper nesting does not occur in real code. */
const MAX_INNER_DEPTH = 3;

/**
 * Adds the definitions inside macro calls, whose content is parsed on its own. If the content does not parse,
 * definitions are found by the keywords at the beginning of its lines.
 */
function withInner(outer: Walked, prepared: string, context: ParseContext, depth = 0): Walked {
  if (outer.inner.length === 0 || depth >= MAX_INNER_DEPTH) return outer;
  let { symbols } = outer;
  const imports = [...outer.imports];
  for (const range of outer.inner) {
    const part = parseOnce(prepared, context, range);
    const { grammar } = context.compiled;
    const whole = part.hasErrors ? undefined : withInner(part, prepared, context, depth + 1);
    const found = whole?.symbols ?? findHeads(range, context.text, grammar);
    symbols = attachSymbols(symbols, found, grammar.separator);
    imports.push(...(whole?.imports ?? []));
  }
  return { ...outer, symbols: sortByLine(symbols), imports };
}

/** The range of lines with errors after a parse that was aborted: the whole text. */
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

async function scanText(
  text: string,
  { id, scanner, isOver }: { id: string; scanner: Scanner; isOver: () => boolean },
): Promise<Outline> {
  const found = scanner.scan(text);
  const symbols: CodeSymbol[] = nestSymbols(found.symbols, scanner.separator);
  const imports: ImportedName[] = [...(found.imports ?? [])];
  let hasErrors = found.hasErrors ?? false;
  for (const part of found.parts ?? []) {
    const inner = await partOutline(text, part, isOver);
    if (inner === undefined) continue;
    hasErrors ||= inner.hasErrors;
    append(symbols, inner.symbols);
    imports.push(...inner.imports);
  }
  return { language: id, symbols: sortByLine(symbols), imports, hasErrors };
}

/**
 * Parses a part in another language, such as a script in HTML, and shifts its line numbers to those of the whole text.
 */
async function partOutline(
  text: string,
  part: EmbeddedPart,
  isOver: () => boolean,
): Promise<Outline | undefined> {
  const language = languageById(part.language);
  if (language === undefined) return undefined;
  const outline = await readSide(text.slice(part.start, part.end), language, isOver);
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

/**
 * Appends the symbols of an embedded part. Their parents are indexes into the list of the part and are shifted
 * accordingly.
 */
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
