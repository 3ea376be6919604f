import type { Hit } from "../../../src/model/hit.ts";
import type { Definition } from "./definitions.ts";
import type { Question } from "./questions.ts";

export interface Verdict {
  /** The first hit is a definition of the name. */
  readonly first: boolean;
  /** It is the only one that is no test, example or copy; undefined where there is no such one. */
  readonly own?: boolean;
}

/** Looks at the first hit only; `isDeclared` knows definitions that the other programs miss. */
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

/** Attributes, comments, template heads and types may stand above the line that has the name. */
const MAX_ABOVE = 12;

function isAt({ path, line, name }: Definition, hit: Hit | undefined): boolean {
  if (hit === undefined || hit.path !== path) return false;
  if (Math.abs(hit.lineStart - line) <= 1) return true;
  return (
    hit.name === name && hit.lineStart < line && line - hit.lineStart <= MAX_ABOVE && line <= hit.lineEnd
  );
}

/** Overloads, clauses and branches of one file and owner are one place. */
function placeOf({ path, owners }: Definition): string {
  return `${path} ${owners.join(".")}`;
}
