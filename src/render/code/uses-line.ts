import { pluralize } from "../../kernel/pluralize.ts";
import type { UseCounts } from "../../model/use.ts";
import { shownPath } from "../shown-path.ts";

/** The most test files that the line below a definition names. */
const MAX_TESTS = 2;

/** The line below a definition that says how it is used; undefined if no use was found, which is no proof of none. */
export function usesLine({ unresolved, ...counts }: UseCounts): string | undefined {
  const total = counts.sure + counts.possible;
  const open = unresolved === 0 ? "" : `${pluralize(unresolved, "place")} with this name not resolved`;
  if (total === 0) return open === "" ? undefined : `no use found; ${open}`;
  const { files, isByName } = counts;
  const tests = testsOf(counts);
  const about = [...(open === "" ? [] : [open]), ...(tests === "" ? [] : [`tests: ${tests}`])];
  const certainty = isByName ? "by name only" : certaintyOf(counts);
  return [`used in ${pluralize(total, "place")} in ${pluralize(files, "file")}: ${certainty}`, ...about].join(
    "; ",
  );
}

function certaintyOf({ sure, possible }: Pick<UseCounts, "sure" | "possible">): string {
  return [...(sure > 0 ? [`${sure} sure`] : []), ...(possible > 0 ? [`${possible} possible`] : [])].join(
    ", ",
  );
}

function testsOf({ tests }: Pick<UseCounts, "tests">): string {
  const named = tests.slice(0, MAX_TESTS).map(shownPath).join(", ");
  return tests.length > MAX_TESTS ? `${named} +${tests.length - MAX_TESTS}` : named;
}
