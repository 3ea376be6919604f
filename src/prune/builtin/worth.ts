import { BLOCKS, blocksOf, PIECES } from "./blocks.ts";
import type { Block } from "./blocks.ts";
import type { Definition } from "./definitions.ts";
import { isBlank, isComment, isImport } from "./line-kinds.ts";
import type { Wishes } from "./question.ts";
import { scoreBlocks } from "./score.ts";
import type { LineTerms } from "./terms-of-lines.ts";

/** A text of source, read once. */
export interface SourceText {
  readonly lines: readonly string[];
  readonly terms: LineTerms;
  readonly definitions: readonly Definition[];
  /** Tokens of each line. */
  readonly costs: Float64Array;
}

/**
 * What speaks for and against a line, as log odds. Fitted by logistic regression over 1,392 commits of 16 public repositories
 * in 14 languages (the question is the commit's message, the lines wanted are those it changed) and rounded. Fits without a
 * quarter of the repositories give the same within a fifth. There, imports and blank lines never were wanted; here they are
 * held against a line only as far as they are of little use to a reader.
 */
const ODDS = {
  always: -3.5,
  block: 1.1,
  piece: 1.25,
  near: 0.8,
  line: 1.7,
  comment: -0.8,
  import: -1,
  blank: -2,
  logTokens: 0.27,
} as const;
/** How much of a line's score reaches the next line. */
const FADE = 0.85;

/** For each line how likely it is wanted; undefined when no asked word occurs. */
export function worthOf(
  { lines, terms, definitions, costs }: SourceText,
  wishes: Wishes,
): Float64Array | undefined {
  const pieces = blocksOf(lines, definitions, PIECES);
  const own = scoreBlocks(pieces, terms, wishes);
  if (!own.found) return undefined;
  const blocks = blocksOf(lines, definitions, BLOCKS);
  const near = nearby(own.lines);
  const odds = kindOdds(lines, costs);
  addOfBlocks(odds, pieces, { scores: own.blocks, weight: ODDS.piece });
  addOfBlocks(odds, blocks, { scores: scoreBlocks(blocks, terms, wishes).blocks, weight: ODDS.block });
  const [mostNear, mostOwn] = [highest(near), highest(own.lines)];
  return odds.map((sum, line) => {
    const words = (ODDS.near * (near[line] ?? 0)) / mostNear + (ODDS.line * (own.lines[line] ?? 0)) / mostOwn;
    return 1 / (1 + Math.exp(-sum - words));
  });
}

/** What the kind of a line says, whatever is asked. */
function kindOdds(lines: readonly string[], costs: Float64Array): Float64Array {
  return costs.map((cost, index) => {
    const line = lines[index] ?? "";
    const odds = ODDS.always + ODDS.logTokens * Math.log(cost);
    if (isBlank(line)) return odds + ODDS.blank;
    if (isComment(line)) return odds + ODDS.comment;
    return isImport(line) ? odds + ODDS.import : odds;
  });
}

function addOfBlocks(
  odds: Float64Array,
  blocks: readonly Block[],
  { scores, weight }: { readonly scores: Float64Array; readonly weight: number },
): void {
  const most = highest(scores);
  for (const [index, { start, end }] of blocks.entries()) {
    const share = (weight * (scores[index] ?? 0)) / most;
    for (let line = start; line < end; line++) odds[line] = (odds[line] ?? 0) + share;
  }
}

/** What the lines around each line say, the less the farther they are. */
function nearby(scores: Float64Array): Float64Array {
  const sums = new Float64Array(scores.length);
  let fading = 0;
  for (let line = 0; line < scores.length; line++) {
    fading = fading * FADE + (scores[line] ?? 0);
    sums[line] = fading;
  }
  fading = 0;
  for (let line = scores.length - 1; line >= 0; line--) {
    sums[line] = (sums[line] ?? 0) + fading;
    fading = (fading + (scores[line] ?? 0)) * FADE;
  }
  return sums;
}

function highest(scores: Float64Array): number {
  return scores.reduce((most, score) => Math.max(most, score), Number.MIN_VALUE);
}
