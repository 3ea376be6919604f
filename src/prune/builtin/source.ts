import { MAX_LINE_LENGTH } from "../../index/text/terms.ts";
import { closeSmallGaps } from "../kept-lines.ts";
import { definitionsOf } from "./definitions.ts";
import type { Definition } from "./definitions.ts";
import { importedNames, isBlank, isImport } from "./line-kinds.ts";
import { parseQueryTerms } from "./query-terms.ts";
import { scoreBlocks } from "./score.ts";
import { costsOf, selectLines } from "./select-lines.ts";
import { termsOfLines } from "./line-terms.ts";
import { relevanceOfLines } from "./line-relevance.ts";
import type { SourceText } from "./line-relevance.ts";

/** Number of tokens of the mark that replaces omitted lines. */
const TOKENS_PER_GAP = 6;
/** The longest single omitted line, in tokens, that is shown after all; see `closeSmallGaps`. */
const MAX_GAP_LINE_TOKENS = 50;
/** Share of the token budget that may be spent on imports used by the kept code. */
const IMPORT_SHARE = 0.05;
const WORD = /[A-Za-z_$][\w$]*/g;

/**
 * Returns the lines of source code that answer the question, within a share of the text's tokens. Returns undefined if
 * nothing matches the question.
 */
export function pruneSource(
  lines: readonly string[],
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  const costs = costsOf(lines);
  const text: SourceText = { lines, terms: termsOfLines(lines), definitions: definitionsOf(lines), costs };
  const relevance = relevanceOfLines(text, parseQueryTerms(question));
  if (relevance === undefined) return undefined;
  const budget = keep * sum(costs);
  const enclosing = enclosingLines(text);
  const addRequired = (chosen: Uint8Array): void => {
    addDeclarations(chosen, enclosing);
    closeSmallGaps(chosen, (line) => line > 0 && (costs[line] ?? 0) <= MAX_GAP_LINE_TOKENS);
  };
  // Which imports are needed depends on the kept lines, so a first selection is made without them, and a second with
  // the budget that the imports leave.
  const first = selectLines({ relevance, costs, budget, gapCost: TOKENS_PER_GAP, addRequired });
  const imports = importsFor(text, first, budget * IMPORT_SHARE);
  const left = budget - costOf(imports, costs);
  const chosen =
    imports.length === 0
      ? first
      : selectLines({ relevance, costs, budget: left, gapCost: TOKENS_PER_GAP, addRequired });
  for (const line of imports) chosen[line] = 1;
  dropUnneededBlanks(lines, chosen);
  return new Set(indexesOf(chosen));
}

/** Returns, for each line, the index of the line that declares the enclosing definition, or -1 if there is none. */
function enclosingLines({ lines, definitions }: SourceText): Int32Array {
  const enclosing = new Int32Array(lines.length).fill(-1);
  const visit = ({ start, end, inner }: Definition): void => {
    enclosing.fill(start, start + 1, end);
    for (const one of inner) {
      visit(one);
      enclosing[one.start] = start;
    }
  };
  for (const definition of definitions) visit(definition);
  return enclosing;
}

function addDeclarations(chosen: Uint8Array, enclosing: Int32Array): void {
  for (let line = chosen.length - 1; line >= 0; line--) {
    const declaration = enclosing[line] ?? -1;
    if (chosen[line] === 1 && declaration >= 0) chosen[declaration] = 1;
  }
}

/** Returns the import lines whose names occur in the chosen lines, as far as the budget allows. */
function importsFor({ lines, costs }: SourceText, chosen: Uint8Array, room: number): readonly number[] {
  const candidates = [...lines.keys()].filter((line) => chosen[line] === 0 && isImport(lines[line] ?? ""));
  if (candidates.length === 0) return [];
  const used = new Set<string>();
  for (const line of indexesOf(chosen))
    for (const word of (lines[line] ?? "").slice(0, MAX_LINE_LENGTH).match(WORD) ?? []) used.add(word);
  const imports: number[] = [];
  let left = room;
  for (const index of candidates) {
    if ((costs[index] ?? 0) > left) continue;
    if (!importedNames(lines[index] ?? "").some((name) => used.has(name))) continue;
    imports.push(index);
    left -= costs[index] ?? 0;
  }
  return imports;
}

/** Drops blank lines that do not separate two kept lines. */
function dropUnneededBlanks(lines: readonly string[], chosen: Uint8Array): void {
  for (const [line, text] of lines.entries()) {
    if (chosen[line] === 0 || !isBlank(text)) continue;
    if (chosen[line - 1] !== 1 || chosen[line + 1] !== 1 || isBlank(lines[line - 1] ?? "")) chosen[line] = 0;
  }
}

/** Returns the search results that answer the question; each line is scored by itself. */
export function pruneMatches(
  lines: readonly string[],
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  const blocks = lines.map((_, index) => ({ start: index, end: index + 1, headers: [] }));
  const scores = scoreBlocks(blocks, termsOfLines(lines), parseQueryTerms(question));
  if (!scores.found) return undefined;
  const costs = costsOf(lines);
  const relevance = scores.blocks.map((score, line) => score * (costs[line] ?? 0));
  return new Set(indexesOf(selectLines({ relevance, costs, budget: keep * sum(costs), gapCost: 0 })));
}

function costOf(lines: Iterable<number>, costs: Float64Array): number {
  let total = 0;
  for (const line of lines) total += costs[line] ?? 0;
  return total;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function indexesOf(chosen: Uint8Array): number[] {
  const indexes: number[] = [];
  for (let line = 0; line < chosen.length; line++) if (chosen[line] === 1) indexes.push(line);
  return indexes;
}
