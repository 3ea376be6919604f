import { readFileSync } from "node:fs";
import { join } from "node:path";
import { languageOf } from "../../../src/languages/detect.ts";
import { outlineOf } from "../../../src/languages/outline.ts";
import type { Hit } from "../../../src/model/hit.ts";
import type { Question } from "./questions.ts";

/** How well one question was answered. */
export interface Answered {
  readonly question: Question;
  /** The rank of the right file among the files of the reply, from 0; undefined if it is not among the first ten. */
  readonly rank?: number;
  /** True if the first place that is shown for the right file is in a function that answers. */
  readonly isPlace: boolean;
  /** True if any place that is shown for the right file is. */
  readonly isAnyPlace: boolean;
  readonly shown: readonly Hit[];
}

interface Range {
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Returns the lines of the functions that answer; throws if the file does not define one of them. */
export async function rangesOf(root: string, { path, functions }: Question): Promise<readonly Range[]> {
  const text = readFileSync(join(root, path), "utf8");
  const language = languageOf(path, text.slice(0, text.indexOf("\n")));
  const { symbols } = await outlineOf(text, language?.id ?? "text");
  return functions.flatMap((name) => {
    const found = symbols.filter(
      ({ qualifiedName }) =>
        qualifiedName === name || qualifiedName.endsWith(`.${name}`) || qualifiedName.endsWith(`::${name}`),
    );
    if (found.length === 0) throw new Error(`${path} does not define ${name}`);
    return found;
  });
}

/** Judges the places of a reply. A place is right if its lines are within those of a function that answers. */
export function judge(question: Question, hits: readonly Hit[], ranges: readonly Range[]): Answered {
  const files = [...new Set(hits.map(({ path }) => path))];
  const rank = files.indexOf(question.path);
  const shown = hits.filter(({ path }) => path === question.path);
  const isInside = ({ lineStart, lineEnd }: Range): boolean =>
    ranges.some((range) => lineStart >= range.lineStart && lineEnd <= range.lineEnd);
  const [first] = shown;
  return {
    question,
    ...(rank >= 0 && { rank }),
    isPlace: first !== undefined && isInside(first),
    isAnyPlace: shown.some(isInside),
    shown,
  };
}

/** The means over many questions. */
export function scoreOf(answered: readonly Answered[]) {
  const found = answered.filter(({ rank }) => rank !== undefined);
  const mean = (values: readonly number[]): number =>
    values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    count: answered.length,
    ndcg: mean(answered.map(({ rank }) => (rank === undefined ? 0 : 1 / Math.log2(rank + 2)))),
    first: mean(answered.map(({ rank }) => Number(rank === 0))),
    /** Share of the questions whose right file is shown with the right place first. */
    place: mean(found.map(({ isPlace }) => Number(isPlace))),
    anyPlace: mean(found.map(({ isAnyPlace }) => Number(isAnyPlace))),
  };
}
