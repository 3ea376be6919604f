import { skipAnnotations } from "../signature.ts";
import { blanked } from "../blank.ts";

const ANNOTATION_LINE = /^[ \t]*@(?!file:)/gmu;
const GUARD = /^([ \t]*(?:is[ \t]+[\w.<>*?]+|[\w.]+))([ \t]+if\b[^\n{}]*?)(?=->)/gmu;
/** `insert { … } get Users.id`: an accessor is never followed by a word. */
const INFIX_ACCESSOR = /(?<=[ \t])[gs]et(?=[ \t]+\w)|(?<=\}[ \t])[gs]et(?=[ \t]\()/gu;
/** `open = isOpen`, `data.size`: a modifier is never assigned to or looked into. */
const MODIFIER_AS_NAME =
  /^([ \t]*)(open|data|inner|sealed|inline|operator|infix|external|expect|actual|final|where)(?=[ \t]*(?:[-+*/%]?=(?!=)|\??\.|\[))/gmu;

/**
 * Blanks what the grammar misreads: annotations on their own lines turn a class into an expression, and guards in
 * `when` are newer than it. Words that are keywords only in some places are replaced in all others.
 */
export function prepareKotlin(text: string): string {
  return withoutMisread(text)
    .replace(INFIX_ACCESSOR, "got")
    .replace(MODIFIER_AS_NAME, (_, indent: string, word: string) => indent + "n".repeat(word.length));
}

function withoutMisread(text: string): string {
  if (!text.includes("@") && !text.includes(" if ")) return text;
  const ranges: [number, number][] = [];
  for (const { index } of text.matchAll(ANNOTATION_LINE)) {
    const start = text.indexOf("@", index);
    if ((ranges.at(-1)?.[1] ?? 0) <= start) ranges.push([start, skipAnnotations(text, start, false)]);
  }
  const bare = blanked(text, ranges);
  return bare.replace(GUARD, (_, head: string, guard: string) => head + " ".repeat(guard.length));
}
