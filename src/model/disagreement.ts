import type { SilentPart } from "./run.ts";

/** How a process ended if it did not exit by itself. */
export type AbnormalEnd =
  | "signal"
  | "timed_out"
  | "cancelled"
  | "not_started"
  | "output_limit"
  | "resource_limit"
  | "interrupted"
  | "worker_lost";

/** A disagreement: the output of a run contradicts its exit code or itself, or does not explain why the run failed. */
export type Disagreement =
  /** The exit code is 0, although tests failed or errors were printed. */
  | {
      readonly kind: "failed_tests" | "failed_suites" | "errors_outside_tests" | "printed_errors";
      readonly count: number;
    }
  /** A test runner's count of failed tests differs from the number of failed tests that it names. */
  | { readonly kind: "more_listed" | "more_counted"; readonly listed: number; readonly counted: number }
  /** The test runner announced tests on which it never reported. */
  | { readonly kind: "unreported_tests"; readonly count: number; readonly total: number }
  /** The command was expected to run tests, and none ran. */
  | { readonly kind: "no_test_ran"; readonly skipped: number }
  /** A command that runs tests by its name printed no result of any test runner that is known. */
  | { readonly kind: "no_test_recognised" }
  /** The exit code is 0, but a runner ended without its closing counts, as after `os._exit(0)` in a test. */
  | { readonly kind: "no_final_counts"; readonly runner: string }
  /** A part of a split command was expected to run tests and reported none, so the counts of the others are not the whole. */
  | ({ readonly kind: "silent_part" } & SilentPart)
  | { readonly kind: "unfinished"; readonly cause: AbnormalEnd }
  /** The command failed, and nothing in its output says why. */
  | { readonly kind: "unexplained_failure"; readonly exitCode: number | undefined; readonly passed: number };
