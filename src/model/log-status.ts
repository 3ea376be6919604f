/**
 * The verdict on a log for which no exit code is known. `clean`: neither a failure nor a test was found; `unclear`:
 * lines mention errors, but nothing shows whether the command failed.
 */
export type LogStatus = "failed" | "passed" | "clean" | "unclear";
