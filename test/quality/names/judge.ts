import type { Hit } from "../../../src/model/hit.ts";
import type { Definition } from "./definitions.ts";
import type { Question } from "./questions.ts";

export interface Verdict {
  /** True if the first hit is a definition of the name. */
  readonly first: boolean;
  /**
   * True if the first hit is the only definition outside tests, examples and copies; undefined if there is not exactly
   * one.
   */
  readonly own?: boolean;
}

/** Judges the first hit of a query. `isDeclared` accepts definitions that the reference programs miss. */
export function judge(
  question: Question,
  hit: Hit | undefined,
  isDeclared: (question: Question, hit: Hit | undefined) => boolean = () => false,
): Verdict {
  const { answers } = question;
  const first = isDeclared(question, hit) || answers.some((one) => isAt(one, hit));
  const own = answers.filter(({ isAside }) => !isAside);
  if (new Set(own.map(placeOf)).size !== 1) return { first };
  return { first, own: own.some((one) => isAt(one, hit)) };
}

/** Lines of attributes, comments, template heads or types that may be above the line with the name. */
const MAX_ABOVE = 12;

function isAt({ path, line, name }: Definition, hit: Hit | undefined): boolean {
  if (hit === undefined || hit.path !== path) return false;
  if (Math.abs(hit.lineStart - line) <= 1) return true;
  return (
    hit.name === name && hit.lineStart < line && line - hit.lineStart <= MAX_ABOVE && line <= hit.lineEnd
  );
}

/** Returns the same key for overloads, clauses and branches of one file and owner. */
function placeOf({ path, owners }: Definition): string {
  return `${path} ${owners.join(".")}`;
}
