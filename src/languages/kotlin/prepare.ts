import { skipAnnotations } from "../signature.ts";
import { blanked } from "../blank.ts";

const ANNOTATION_LINE = /^[ \t]*@(?!file:)/gmu;
const GUARD = /^([ \t]*(?:is[ \t]+[\w.<>*?]+|[\w.]+))([ \t]+if\b[^\n{}]*?)(?=->)/gmu;

/**
 * Blanks what the grammar misreads: annotations on their own lines turn a class into an expression, and guards in
 * `when` are newer than it.
 */
export function prepareKotlin(text: string): string {
  if (!text.includes("@") && !text.includes(" if ")) return text;
  const ranges: [number, number][] = [];
  for (const { index } of text.matchAll(ANNOTATION_LINE)) {
    const start = text.indexOf("@", index);
    if ((ranges.at(-1)?.[1] ?? 0) <= start) ranges.push([start, skipAnnotations(text, start, false)]);
  }
  const bare = blanked(text, ranges);
  return bare.replace(GUARD, (_, head: string, guard: string) => head + " ".repeat(guard.length));
}
