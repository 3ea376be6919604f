import type { RelationAnswer } from "../../model/relation.ts";
import type { LocateRequest } from "../code-queries.ts";
import { countLines } from "../query/count-lines.ts";
import type { HitSource } from "../query/hit-source.ts";
import { createFileReader } from "../query/hits.ts";
import { filesWithName } from "../query/name-occurrences.ts";
import { bareName, type Definition } from "./definition.ts";

/** Files with a name that are read to count its lines. */
const MAX_FILES_READ = 300;
const FILTERS = ["kind", "path", "language"] as const;

/** Says of a name without definitions which filters leave its definitions out, and in how many lines it occurs. */
export async function absenceOf(
  source: HitSource,
  request: LocateRequest,
  definitionsFor: (request: LocateRequest) => Promise<readonly Definition[]>,
): Promise<{
  readonly leftOut: readonly Definition[];
  readonly leftOutBy: readonly string[];
  readonly occurrences?: NonNullable<RelationAnswer["occurrences"]>;
}> {
  const { kind, path, language, ...open } = request;
  const given = { kind, path, language };
  const asked = FILTERS.filter((filter) => given[filter] !== undefined);
  const leftOut = asked.length === 0 ? [] : await definitionsFor(open);
  if (leftOut.length > 0) {
    const by: string[] = [];
    for (const filter of asked) {
      const alone = await definitionsFor({ ...open, [filter]: given[filter] });
      if (alone.length === 0) by.push(filter);
    }
    return { leftOut, leftOutBy: by.length > 0 ? by : asked };
  }
  const occurrences = await linesWith(bareName(request.name), source);
  return { leftOut, leftOutBy: [], ...(occurrences !== undefined && { occurrences }) };
}

/** Counts the lines with a name; undefined if there are none, or so many files with it that counting would take long. */
export async function linesWith(
  name: string,
  source: HitSource,
): Promise<NonNullable<RelationAnswer["occurrences"]> | undefined> {
  if (!/^\w+$/.test(name)) return undefined;
  const numbers = filesWithName(source.view, name);
  if (numbers.size === 0 || numbers.size > MAX_FILES_READ) return undefined;
  const files = [...numbers].flatMap((number) => source.view.files[number] ?? []);
  const pattern = `\\b${name}\\b`;
  const test = new RegExp(pattern);
  const found = await countLines(files, createFileReader(source), (line) => test.test(line));
  return found.lines === 0 ? undefined : { ...found, pattern };
}
