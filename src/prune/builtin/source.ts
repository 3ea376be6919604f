import { estimateTokens } from "../../kernel/tokens.ts";
import { BLOCKS, blocksOf, PIECES } from "./blocks.ts";
import { definitionsOf } from "./definitions.ts";
import { wishesOf } from "./question.ts";
import { scoreBlocks, scorePieces } from "./score.ts";
import { selectLines } from "./select.ts";
import { termsOfLines } from "./terms-of-lines.ts";
import type { LineTerms } from "./terms-of-lines.ts";

/** Lines that bring names in, in the languages that have such lines. */
const IMPORT =
  /^\s*(?:import\b|from\s+\S+\s+import\b|#\s*include\b|use\s+[\w:\\]|using\s+\w|require(?:_relative)?\b|(?:const|let|var)\s+.{1,200}=\s*require\()/;
/** Of the budget, for imports that kept code uses. */
const IMPORT_SHARE = 0.05;

/** The lines of source that answer the question, for a share of its tokens; undefined when nothing in it is asked for. */
export function pruneSource(
  lines: readonly string[],
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  const text = termsOfLines(lines);
  const definitions = definitionsOf(lines);
  const pieces = blocksOf(lines, definitions, PIECES);
  const blocks = blocksOf(lines, definitions, BLOCKS);
  const scores = scorePieces({ pieces, blocks }, text, wishesOf(question));
  if (!scores.found) return undefined;
  const costs = costsOf(lines);
  const budget = keep * costs.reduce((sum, cost) => sum + cost, 0);
  const kept = selectLines({ blocks: pieces, scores, costs, budget: budget * (1 - IMPORT_SHARE) });
  keepImports(lines, text, kept, { costs, room: budget * IMPORT_SHARE });
  dropLooseBlanks(lines, kept);
  return kept;
}

/** A blank line only parts two lines that are both there. */
function dropLooseBlanks(lines: readonly string[], kept: Set<number>): void {
  const isBlank = (index: number): boolean => (lines[index] ?? "").trim() === "";
  const loose = [...kept].filter(
    (index) => isBlank(index) && !(kept.has(index - 1) && kept.has(index + 1) && !isBlank(index - 1)),
  );
  for (const index of loose) kept.delete(index);
}

/** The same for search results: every line stands for itself. */
export function pruneMatches(
  lines: readonly string[],
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  const blocks = lines.map((_, index) => ({ start: index, end: index + 1, headers: [] }));
  const scores = scoreBlocks(blocks, termsOfLines(lines), wishesOf(question));
  if (!scores.found) return undefined;
  const costs = costsOf(lines);
  return selectLines({ blocks, scores, costs, budget: keep * costs.reduce((sum, cost) => sum + cost, 0) });
}

function costsOf(lines: readonly string[]): readonly number[] {
  return lines.map((line) => estimateTokens(line) + 1);
}

/** Adds the imports whose names the kept lines use. */
function keepImports(
  lines: readonly string[],
  { ids, starts, terms }: LineTerms,
  kept: Set<number>,
  { costs, room }: { readonly costs: readonly number[]; readonly room: number },
): void {
  const used = new Uint8Array(terms.length);
  for (const line of kept)
    for (let at = starts[line] ?? 0; at < (starts[line + 1] ?? 0); at++) used[ids[at] ?? 0] = 1;
  let left = room;
  for (const [index, line] of lines.entries()) {
    if (kept.has(index) || (costs[index] ?? 0) > left || !IMPORT.test(line)) continue;
    // The last words of an import are the names it brings in; its first is the keyword that every import has.
    const names = ids.slice((starts[index] ?? 0) + 1, starts[index + 1]);
    if (!names.some((term) => used[term] === 1)) continue;
    kept.add(index);
    left -= costs[index] ?? 0;
  }
}
