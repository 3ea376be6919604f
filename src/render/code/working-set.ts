import { pluralize } from "../../kernel/pluralize.ts";
import type { Hit, SymbolPlace } from "../../model/hit.ts";
import { hasNumber, numberedLine } from "../files/focus.ts";
import { shownPath } from "../shown-path.ts";
import type { HitsData } from "./hits-data.ts";

/** Longest body that is shown whole; of a longer one the head, the lines around matching words and the end are shown. */
const MAX_WHOLE_LINES = 60;
const HEAD_LINES = 3;
const LINES_AROUND_MATCH = 2;

/** Writes the code of a result with line numbers. A long body is folded: `… 20-34` stands for the lines left out. */
export function bodyOf({ content = "", lineStart, matchedLines = [] }: Hit): string[] {
  const lines = content.split("\n");
  const keeps =
    lines.length <= MAX_WHOLE_LINES ? undefined : keptLines(lines.length, lineStart, matchedLines);
  const shown: string[] = [];
  let gap = 0;
  let isFirst = true;
  const write = (number: number): void => {
    shown.push(
      numberedLine(hasNumber(number, isFirst) ? number : undefined, lines[number - lineStart] ?? ""),
    );
    isFirst = false;
  };
  const closeGap = (before: number): void => {
    if (gap === 1) write(before - 1);
    else if (gap > 1) shown.push(`… ${before - gap}-${before - 1}`);
    isFirst ||= gap > 1;
    gap = 0;
  };
  for (let number = lineStart; number < lineStart + lines.length; number++) {
    if (keeps?.has(number) === false) {
      gap++;
      continue;
    }
    closeGap(number);
    write(number);
  }
  return shown;
}

function keptLines(count: number, first: number, matched: readonly number[]): ReadonlySet<number> {
  const last = first + count - 1;
  const kept = new Set<number>([last]);
  for (let line = first; line < first + HEAD_LINES; line++) kept.add(line);
  for (const match of matched)
    for (let line = match - LINES_AROUND_MATCH; line <= match + LINES_AROUND_MATCH; line++)
      if (line >= first && line <= last) kept.add(line);
  return kept;
}

/** Writes what a result is part of, what it uses, and who uses it, one kind per line. */
export function linksOf({ parent, related = [], callers = [], tests = [] }: Hit): string[] {
  const lines = parent === undefined ? [] : [`  in ${parent.kind} ${parent.name} line ${parent.line}`];
  for (const [title, places] of Object.entries({ uses: related, "called by": callers, tests }))
    if (places.length > 0) lines.push(`  ${title} ${places.map(placeText).join(", ")}`);
  return lines;
}

function placeText({ name, path, line, signature }: SymbolPlace): string {
  const head = signature === undefined || signature.length > MAX_HEAD ? name : signature;
  return `${head} ${shownPath(path)}:${line}`;
}

/** The longest signature of a related definition that is shown instead of its name. */
const MAX_HEAD = 100;

/** The most results of a search whose code is shown at the level `context`, and the lowest score among these. */
const MAX_BODIES = 4;
const MIN_BODY_SCORE = 0.6;

/** Returns true if the code of a result is shown at the level `context`: for a search, that of the few that decide it. */
export function isInWorkingSet(hit: Hit, { answer: { hits, counts } }: HitsData): boolean {
  if (counts === "definitions") return true;
  return hits.indexOf(hit) < MAX_BODIES && hit.score >= MIN_BODY_SCORE * (hits[0]?.score ?? 0);
}

/** Says how many of the results are shown without the code that was asked for, because it did not fit. */
export function bodiesNote(data: HitsData, pieces: readonly string[]): string[] {
  if (data.level !== "context" || data.compact) return [];
  const count = data.answer.hits
    .slice(0, pieces.length)
    .filter((hit, index) => isInWorkingSet(hit, data) && pieces[index]?.includes("\n") === false).length;
  return count === 0 ? [] : [`(the code of ${pluralize(count, "result")} did not fit)`];
}
