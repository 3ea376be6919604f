import { blanked } from "./blank.ts";

/** Where a side of an unfinished merge begins and ends; the part after `|||||||` is what both sides came from. */
const CONFLICT =
  /^<<<<<<<(?: [^\n]*)?\n[\s\S]*?(^(?:\|{7}(?: [^\n]*)?|={7})\r?\n[\s\S]*?^>>>>>>>(?: [^\n]*)?$)/gmu;

/** The text without what an unfinished merge left: the marks, and the other side; the own side is read as it is. */
export function withoutConflicts(text: string): string {
  if (!text.includes("<<<<<<<")) return text;
  const ranges: [number, number][] = [];
  for (const { index, 0: whole, 1: rest = "" } of text.matchAll(CONFLICT)) {
    const mark = text.indexOf("\n", index);
    ranges.push([index, mark], [index + whole.length - rest.length, index + whole.length]);
  }
  return blanked(text, ranges);
}
