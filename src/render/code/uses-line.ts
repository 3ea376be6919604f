import { pluralize } from "../../kernel/pluralize.ts";
import type { UseCounts } from "../../model/use.ts";
import { shownPath } from "../shown-path.ts";

/** The most test files that the line below a definition names. */
const MAX_TESTS = 2;

/** The line below a definition that says how it is used; undefined if no use was found, which is no proof of none. */
export function usesLine({ sure, possible, files, tests, isByName }: UseCounts): string | undefined {
  const total = sure + possible;
  if (total === 0) return undefined;
  const certainty = isByName
    ? "by name only"
    : [...(sure > 0 ? [`${sure} sure`] : []), ...(possible > 0 ? [`${possible} possible`] : [])].join(", ");
  const named = tests.slice(0, MAX_TESTS).map(shownPath).join(", ");
  const more = tests.length > MAX_TESTS ? ` +${tests.length - MAX_TESTS}` : "";
  const about = tests.length === 0 ? "" : `; tests: ${named}${more}`;
  return `used in ${pluralize(total, "place")} in ${pluralize(files, "file")}: ${certainty}${about}`;
}
