import { pluralize } from "../../kernel/pluralize.ts";
import type { Disagreement } from "../../model/disagreement.ts";
import type { RunReport } from "../../model/run-report.ts";
import { endOf } from "./run-head.ts";

/** Says in one clause how the evidence about a run disagrees, such as "exit code 0, but 2 tests failed". */
export function disagreementText(one: Disagreement): string {
  switch (one.kind) {
    case "failed_tests":
      return `exit code 0, but ${pluralize(one.count, "test")} failed`;
    case "failed_suites":
      return `exit code 0, but ${pluralize(one.count, "suite")} did not load`;
    case "errors_outside_tests":
      return `exit code 0, but ${pluralize(one.count, "error")} outside any test`;
    case "printed_errors":
      return `exit code 0, but ${pluralize(one.count, "error")} printed`;
    case "more_listed":
      return `${one.listed} failed tests are listed, but ${one.counted} are counted`;
    case "more_counted":
      return `${one.counted} failed tests are counted, but ${one.listed} are listed`;
    case "unreported_tests":
      return `${pluralize(one.count, "test")} of ${one.total} did not report`;
    case "no_test_ran":
      return one.skipped > 0 ? `no test ran (${one.skipped} skipped)` : "no test ran";
    case "no_test_recognised":
      return "no result of a test was recognised";
    case "no_final_counts":
      return `${one.runner} ended without its final counts`;
    case "silent_part":
      return `part ${one.number} of ${one.count} (run ${one.run}) reported no test`;
    case "unfinished":
      return `the command did not finish (${one.cause.replaceAll("_", " ")}): counts are incomplete`;
    case "unexplained_failure":
      return one.passed > 0
        ? `exit code ${one.exitCode}, yet ${pluralize(one.passed, "test")} passed and none failed`
        : `exit code ${one.exitCode}, and no error was recognised`;
    default:
      return one satisfies never;
  }
}

/**
 * Says how a run ended and adds its first disagreement, for a reply that shows the whole output. In such a reply "no
 * error was recognised" or "not all are listed" would add nothing, but a misleading exit code has to be corrected.
 */
export function shortOutcome({ run, disagreements }: RunReport): string {
  const end = endOf(run);
  const [first] = disagreements;
  if (first === undefined || run.end?.cause !== "exit") return end;
  switch (first.kind) {
    case "failed_tests":
      return `${end} but ${pluralize(first.count, "test")} failed`;
    case "failed_suites":
      return `${end} but ${pluralize(first.count, "suite")} failed`;
    case "errors_outside_tests":
      return `${end} but ${pluralize(first.count, "error")} outside any test`;
    case "printed_errors":
      return `${end} but ${pluralize(first.count, "error")}`;
    case "unexplained_failure":
      return first.passed > 0 ? `${end} though all tests passed` : end;
    case "more_listed":
    case "more_counted":
    case "unreported_tests":
    case "no_test_ran":
    case "no_test_recognised":
    case "no_final_counts":
    case "silent_part":
    case "unfinished":
      return run.end.exitCode === 0 ? `${end}, ${disagreementText(first)}` : end;
    default:
      return first satisfies never;
  }
}
