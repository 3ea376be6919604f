import { MAX_LINE_LENGTH } from "../../index/text/terms.ts";
import type { ReplyRoom } from "../../model/pruning.ts";
import { closeSmallGaps, costOf, gapsCost, indexesOf } from "../kept-lines.ts";
import { chooseNamed } from "./choose-named.ts";
import { createConditions } from "./conditions.ts";
import { bodyEnds, definitionsOf } from "./definitions.ts";
import type { Definition } from "./definitions.ts";
import { importedNames, isBlank, isImport } from "./line-kinds.ts";
import { parseQueryTerms } from "./query-terms.ts";
import { scoreBlocks } from "./score.ts";
import { costsOf, selectLines } from "./select-lines.ts";
import type { LineSelection } from "./select-lines.ts";
import { termsOfLines } from "./line-terms.ts";
import { relevanceOfLines } from "./line-relevance.ts";
import type { SourceText } from "./line-relevance.ts";
import { definitionsNamedIn } from "./named-definitions.ts";

/** Number of tokens of the mark that replaces omitted lines. */
const TOKENS_PER_GAP = 6;
/** The longest single omitted line, in tokens, that is shown after all; see `closeSmallGaps`. */
const MAX_GAP_LINE_TOKENS = 50;
/** The share that is kept if the user set none. */
export const DEFAULT_KEEP = 0.35;
/** A small text may cost this much, because a share of little is too little to answer from. */
const MIN_BUDGET_TOKENS = 1_500;
/** Share of the token budget that may be spent on imports used by the kept code. */
const IMPORT_SHARE = 0.05;
const WORD = /[A-Za-z_$][\w$]*/g;

/** How much of a text may be kept. */
export interface SourceLimits {
  /** The share that the user set. Without one the question decides within the room of the reply. */
  readonly keep?: number | undefined;
  readonly room?: ReplyRoom | undefined;
}

/**
 * Returns the lines of source code that answer the question. Definitions that it names come first and whole, then what
 * they call in this text, then other lines by relevance. Returns undefined if nothing matches the question.
 */
export function pruneSource(
  lines: readonly string[],
  question: string,
  limits: SourceLimits,
): ReadonlySet<number> | undefined {
  const ends = bodyEnds(lines);
  const definitions = definitionsOf(lines, ends);
  const text: SourceText = { lines, terms: termsOfLines(lines), definitions, ends, costs: costsOf(lines) };
  const named = definitionsNamedIn(question, text);
  // A name may be a stop word, such as `get`, so that no other line is relevant.
  const isNamedAlone = named.isSure && named.ranges.length > 0;
  const relevance =
    relevanceOfLines(text, parseQueryTerms(question)) ??
    (isNamedAlone ? new Float64Array(lines.length) : undefined);
  if (relevance === undefined) return undefined;
  const costs = limits.room?.lineCosts ?? text.costs;
  const enclosing = enclosingLines(text);
  const addConditions = createConditions(lines);
  const { tokens, remaining } = budgetOf(costs, limits);
  const selection: LineSelection = {
    relevance,
    costs,
    tokens,
    remaining,
    gapCost: TOKENS_PER_GAP,
    addRequired(chosen) {
      addConditions(chosen);
      addDeclarations(chosen, enclosing);
      closeSmallGaps(chosen, {
        isShort: (line) => line > 0 && (costs[line] ?? 0) <= MAX_GAP_LINE_TOKENS,
        costs,
      });
    },
  };
  const isLimited = limits.keep === undefined;
  const choice = { ...selection, ...chooseNamed(text, named, { selection, isLimited }) };
  const chosen = withImports(choice, (first) => importsFor(text, first, tokens * IMPORT_SHARE));
  dropUnneededBlanks(lines, chosen);
  const kept = indexesOf(chosen);
  // A budget without room for one line is no reason to say that nothing is relevant.
  return new Set(kept.length === 0 ? [mostRelevant(relevance)] : kept);
}

function mostRelevant(relevance: Float64Array): number {
  return relevance.reduce((best, value, line) => (value > (relevance[best] ?? 0) ? line : best), 0);
}

/** Selects lines and the imports they use. Both use the same budget, so the imports are determined from a first selection. */
function withImports(
  choice: LineSelection & { readonly fixed: Uint8Array },
  importsOf: (chosen: Uint8Array) => readonly number[],
): Uint8Array {
  const first = selectLines(choice);
  const imports = importsOf(first);
  if (imports.length === 0) return first;
  const fixed = choice.fixed.slice();
  for (const line of imports) fixed[line] = 1;
  const second = selectLines({ ...choice, fixed });
  return choice.remaining(second) >= 0 ? second : first;
}

/** What a selection may cost: a number of tokens for its lines, and the room of the reply for lines and marks of gaps. */
interface SourceBudget {
  readonly tokens: number;
  readonly remaining: (chosen: Uint8Array) => number;
}

function budgetOf(costs: Float64Array, { keep, room }: SourceLimits): SourceBudget {
  const share = (keep ?? DEFAULT_KEEP) * sum(costs);
  const tokens = keep === undefined && room !== undefined ? Math.max(MIN_BUDGET_TOKENS, share) : share;
  return budgetFor(tokens, costs, room);
}

function budgetFor(tokens: number, costs: Float64Array, room: ReplyRoom | undefined): SourceBudget {
  return {
    tokens: Math.min(tokens, room?.tokens ?? tokens),
    remaining(chosen) {
      const paid = costOf(chosen, costs);
      const left = tokens - paid;
      return room === undefined ? left : Math.min(left, room.tokens - paid - gapsCost(chosen, room));
    },
  };
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

/** Drops blank lines at the edges of kept runs. */
function dropUnneededBlanks(lines: readonly string[], chosen: Uint8Array): void {
  for (const [line, text] of lines.entries())
    if (chosen[line] === 1 && chosen[line - 1] !== 1 && isBlank(text)) chosen[line] = 0;
  for (let line = lines.length - 1; line >= 0; line--)
    if (chosen[line] === 1 && chosen[line + 1] !== 1 && isBlank(lines[line] ?? "")) chosen[line] = 0;
}

/** Returns the search results that answer the question. Each is scored with the lines around it, its own line most. */
export function pruneMatches(
  lines: readonly string[],
  question: string,
  { keep, around }: { readonly keep: number; readonly around: readonly (readonly string[])[] },
): ReadonlySet<number> | undefined {
  const text: string[] = [];
  const blocks = lines.map((line, index) => {
    const start = text.push(line) - 1;
    for (const one of around[index] ?? []) text.push(one);
    return { start, end: text.length, headers: [] };
  });
  const scores = scoreBlocks(blocks, termsOfLines(text), parseQueryTerms(question));
  if (!scores.found) return undefined;
  const costs = costsOf(lines);
  const relevance = scores.blocks.map((score, line) => score * (costs[line] ?? 0));
  const budget = budgetFor(keep * sum(costs), costs, undefined);
  return new Set(indexesOf(selectLines({ relevance, costs, ...budget, gapCost: 0 })));
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
