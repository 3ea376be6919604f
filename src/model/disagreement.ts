/** Why a process ended, where it did not exit by itself. */
export type AbnormalEnd =
  | "signal"
  | "timed_out"
  | "cancelled"
  | "not_started"
  | "output_limit"
  | "interrupted"
  | "worker_lost";

/** Where the evidence of a run contradicts its exit code or itself, or does not explain its failure. */
export type Disagreement =
  /** The exit code is 0, yet something failed. */
  | {
      readonly kind: "failed_tests" | "failed_suites" | "errors_outside_tests" | "printed_errors";
      readonly count: number;
    }
  /** The number of failed tests that a runner counts is not the number that it names. */
  | { readonly kind: "more_listed" | "more_counted"; readonly listed: number; readonly counted: number }
  /** Tests that the runner announced and never reported on. */
  | { readonly kind: "unreported_tests"; readonly count: number; readonly total: number }
  /** Tests were expected and none ran. */
  | { readonly kind: "no_test_ran"; readonly skipped: number }
  | { readonly kind: "unfinished"; readonly cause: AbnormalEnd }
  /** The command failed, and nothing in its output says why. */
  | { readonly kind: "unexplained_failure"; readonly exitCode: number | undefined; readonly passed: number };
