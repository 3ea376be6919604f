import { definitionsLike, type LocateOptions } from "./locate.ts";
import type { RequestedName } from "./query.ts";
import type { Segment } from "../store/segment.ts";
import { foldName, partsOfIdentifier } from "../text/terms.ts";
import type { View } from "../live/view.ts";

/** If fewer files than this contain a name, files that define a similar name are added. */
const MIN_FILES = 10;

/**
 * Returns the numbers of the files that can be relevant for a name: those that contain it in any spelling and, if they
 * are few, those that define a similar name. Returns undefined if any file may be relevant: for a plain word, which may
 * be a topic, and for a name that no source file contains, because its parts are then searched for.
 */
export function filesForName(
  view: View,
  requested: RequestedName | undefined,
  options: LocateOptions,
): ReadonlySet<number> | undefined {
  if (requested === undefined || partsOfIdentifier(requested.name).length < 2) return undefined;
  const files = new Set<number>();
  let hasSource = false;
  for (const number of filesWithName(view, requested.name)) {
    const file = view.files[number];
    if (file === undefined || options.accepts?.(file) === false) continue;
    files.add(number);
    hasSource ||= file.facts.kind === "code";
  }
  if (!hasSource) return undefined;
  if (files.size < MIN_FILES)
    for (const { number } of definitionsLike(view, requested, options).slice(0, MIN_FILES)) files.add(number);
  return files;
}

/** Returns the numbers of the files that contain a name in any spelling. */
export function filesWithName(view: View, name: string): ReadonlySet<number> {
  const folded = foldName(name.replace(/[!?]$/, ""));
  return filesWithTerms(view, ({ vocabulary }) => {
    const term = vocabulary.indexOf(folded);
    return term < 0 ? [] : [term];
  });
}

/**
 * Returns the numbers of the files that contain one of the terms. `termsOf` returns the terms' numbers in a segment of
 * the index, because each segment has its own.
 */
export function filesWithTerms(view: View, termsOf: (segment: Segment) => readonly number[]): Set<number> {
  const files = new Set<number>();
  for (const [index, { segment }] of view.segments.entries()) {
    const documents = new Set<number>();
    for (const term of termsOf(segment)) {
      const end = segment.postingStart[term + 1] ?? 0;
      for (let at = segment.postingStart[term] ?? end; at < end; at++)
        documents.add(segment.chunkDocument[segment.postingChunk[at] ?? 0] ?? 0);
    }
    for (const document of documents) view.eachFile(index, document, (file) => files.add(file));
  }
  return files;
}
