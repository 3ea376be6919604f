import { definitionsCalledIn, withPreface } from "./named-definitions.ts";
import type { LineRange, NamedDefinitions } from "./named-definitions.ts";
import type { SourceText } from "./line-relevance.ts";
import type { LineSelection } from "./select-lines.ts";

/** Lines that answer a question about one function, unless the function itself is longer. */
const MAX_LINES_FOR_ONE = 60;
/** A question that names more definitions than these is about more than one function. */
const MAX_NAMES_FOR_ONE = 2;
/** Other lines are added to a named function only if they are this relevant, compared with the best lines of the text. */
const MIN_SHARE_OF_BEST = 0.3;
const BEST_LINES = 20;
/** Longest definition that is shown whole for a word of the question that may not be meant as its name. */
const MAX_LINES_IF_UNSURE = 30;
/**
 * Raises the lines of a named definition that does not fit whole. A factor keeps their order among each other, which
 * matters for a class that is most of its file.
 */
const FACTOR_FOR_NAMED = 4;

/** What is chosen before any other line, and the limits for the others. */
type Chosen = Pick<LineSelection, "remaining" | "relevance" | "minPrice"> & { readonly fixed: Uint8Array };

/**
 * Chooses the definitions that a question names, whole where they fit, and what they call in the same text. The lines of one
 * that does not fit whole come before all others. If the question is about one function, relevance and length are limited
 * for all other lines, unless the user set the share to keep.
 */
export function chooseNamed(
  text: SourceText,
  named: NamedDefinitions,
  { selection, isLimited }: { readonly selection: LineSelection; readonly isLimited: boolean },
): Chosen {
  const { whole, ...first } = chooseWhole(text, named, selection);
  const chosen = { remaining: selection.remaining, ...first };
  const count = named.ranges.length;
  if (!isLimited || !named.isSure || count === 0 || count > MAX_NAMES_FOR_ONE) return chosen;
  // Of a definition that is too long, as much as possible is shown.
  if (whole.length < count) return chosen;
  const most = Math.max(MAX_LINES_FOR_ONE, countOf(chosen.fixed));
  return {
    ...chosen,
    minPrice: MIN_SHARE_OF_BEST * bestRatio(selection),
    remaining: (lines) => (countOf(lines) > most ? -1 : selection.remaining(lines)),
  };
}

function chooseWhole(
  text: SourceText,
  { ranges, isSure }: NamedDefinitions,
  { remaining, relevance, addRequired }: LineSelection,
): Pick<Chosen, "relevance" | "fixed"> & { readonly whole: readonly LineRange[] } {
  const fixed = new Uint8Array(text.lines.length);
  const whole: LineRange[] = [];
  if (ranges.length === 0) return { relevance, fixed, whole };
  const addWhole = ({ start, end }: LineRange): boolean => {
    const wider = fixed.slice().fill(1, start, end);
    addRequired?.(wider);
    const hasRoom = remaining(wider) >= 0;
    if (hasRoom) fixed.set(wider);
    return hasRoom;
  };
  const preferred = relevance.slice();
  for (const range of ranges) {
    // A word that only may be a name must not use up the budget.
    if (!isSure && range.end - range.start > MAX_LINES_IF_UNSURE) continue;
    if (addWhole(withPreface(text.lines, range)) || addWhole(range)) {
      whole.push(range);
      continue;
    }
    if (!isSure) continue;
    addWhole({ start: range.start, end: range.start + 1 });
    for (let line = range.start; line < range.end; line++)
      preferred[line] = FACTOR_FOR_NAMED * (preferred[line] ?? 0);
  }
  for (const range of definitionsCalledIn(isSure ? whole : [], text))
    if (countOf(fixed) + range.end - range.start <= MAX_LINES_FOR_ONE) addWhole(range);
  return { relevance: preferred, fixed, whole };
}

/** Returns the mean relevance per token of the best lines. */
function bestRatio({ relevance, costs }: LineSelection): number {
  const best = relevance
    .map((value, line) => value / (costs[line] ?? 1))
    .sort()
    .slice(-BEST_LINES);
  return best.reduce((sum, ratio) => sum + ratio, 0) / Math.max(1, best.length);
}

function countOf(chosen: Uint8Array): number {
  let count = 0;
  for (const one of chosen) count += one;
  return count;
}
