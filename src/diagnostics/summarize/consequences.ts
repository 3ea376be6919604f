import type { Diagnostic } from "../../model/diagnostic.ts";

/**
 * Messages in which one program only reports that another one failed: make's `[all] Error 1`, npm's `ELIFECYCLE`, exit codes of scripts, and the
 * closing lines of build tools whose cause is a compiler error or a failed test.
 */
const CONSEQUENCES: readonly RegExp[] = [
  /^\[.{1,300}\] (?:Error \d{1,5}|Segmentation fault|Aborted|Killed)\b/,
  /\bELIFECYCLE\b|\nExit status \d|^Exit status \d|\bLifecycle script `.{1,100}` failed/,
  /^(?:The )?[Cc]ommand (?:".{1,500}" )?(?:failed|exited)(?: in workspace \S{1,200})? with (?:exit )?code \d/,
  /^(?:.{1,300} )?exited with (?:code|status|a non-zero exit code:?) ?\d{1,5}\.?$/,
  /^(?:could not compile `|aborting due to|build stopped: (?:subcommand|cannot make progress))/,
  /^(?:executor failed running|process ".{1,1000}" did not complete successfully|failed to solve: process )/,
  /^Failed to execute goal .{1,300}(?:There are test failures|Compilation failure|There was a timeout or other error in the fork)/,
  /^Execution failed for task '.{1,200}'\.\s{0,20}(?:> )?(?:There were failing tests|Compilation failed|Compilation error|Process 'command)/,
];

/** Returns whether a diagnostic only reports that something failed, without the reason. */
export function isConsequence({ message, severity }: Diagnostic): boolean {
  return severity === "error" && CONSEQUENCES.some((one) => one.test(message));
}
