import { estimateTokens } from "../../kernel/tokens.ts";
import { blocksOf } from "./blocks.ts";
import type { Block } from "./blocks.ts";
import { wishesOf } from "./question.ts";
import { scoreBlocks } from "./score.ts";
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
  const costs = lines.map((line) => estimateTokens(line) + 1);
  const budget = keep * costs.reduce((sum, cost) => sum + cost, 0);
  const kept = choose(blocksOf(lines), text, question, { costs, budget: budget * (1 - IMPORT_SHARE) });
  if (kept !== undefined) keepImports(lines, text, kept, costs, budget * IMPORT_SHARE);
  return kept;
}

/** The same for search results: every line stands for itself. */
export function pruneMatches(
  lines: readonly string[],
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  const blocks = lines.map((_, index) => ({ start: index, end: index + 1, headers: [] }));
  const costs = lines.map((line) => estimateTokens(line) + 1);
  const budget = keep * costs.reduce((sum, cost) => sum + cost, 0);
  return choose(blocks, termsOfLines(lines), question, { costs, budget });
}

function choose(
  blocks: readonly Block[],
  text: LineTerms,
  question: string,
  { costs, budget }: { costs: readonly number[]; budget: number },
): Set<number> | undefined {
  const scores = scoreBlocks(blocks, text, wishesOf(question));
  return scores.found ? selectLines({ blocks, scores, costs, budget }) : undefined;
}

/** Adds the imports whose names the kept lines use. */
function keepImports(
  lines: readonly string[],
  text: LineTerms,
  kept: Set<number>,
  costs: readonly number[],
  room: number,
): void {
  const used = new Set<number>();
  for (const line of kept) for (const term of text.lines[line] ?? []) used.add(term);
  let left = room;
  for (const [index, line] of lines.entries()) {
    if (kept.has(index) || !IMPORT.test(line) || (costs[index] ?? 0) > left) continue;
    // The last words of an import are the names it brings in; its first is the keyword that every import has.
    const names = (text.lines[index] ?? []).slice(1);
    if (!names.some((term) => used.has(term))) continue;
    kept.add(index);
    left -= costs[index] ?? 0;
  }
}
