import { scanWords } from "../text/terms.ts";
import type { Place, WordMatcher } from "./place.ts";

/** Upper bound on the lines of a definition that are marked as matching; around these a long body is shown. */
const MAX_MATCHED_LINES = 12;

/** Returns the numbers of the lines of a place that contain the most words of the query, by weight, in their order. */
export function matchedLines(
  lines: readonly string[],
  { lineStart, lineEnd }: Place,
  matcher: WordMatcher,
): readonly number[] {
  const found: { readonly line: number; readonly weight: number }[] = [];
  for (let line = lineStart; line <= Math.min(lineEnd, lines.length); line++) {
    const text = lines[line - 1] ?? "";
    if (!matcher.mayMatch(text)) continue;
    const groups = new Set<number>();
    scanWords(text, 0, text.length, (word) => {
      for (const group of matcher.groupsOf(word)) groups.add(group);
    });
    let weight = 0;
    for (const group of groups) weight += matcher.weights[group] ?? 0;
    if (weight > 0) found.push({ line, weight });
  }
  return found
    .sort((a, b) => b.weight - a.weight || a.line - b.line)
    .slice(0, MAX_MATCHED_LINES)
    .map(({ line }) => line)
    .sort((a, b) => a - b);
}
