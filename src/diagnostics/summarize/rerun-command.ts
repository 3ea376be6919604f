import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { shellWord } from "../parsing/shell-word.ts";
import { toolNamed } from "../registry/tool-names.ts";

/**
 * Returns the command that runs only this test. For runners without a known command, such as compiled tests, it returns
 * the text that selects the test.
 */
export function rerunCommand(runner: string, failure: TestFailure): string | undefined {
  const { rerun } = failure;
  const command = toolNamed(runner)?.rerun;
  if (rerun === undefined || rerun === "" || command === undefined) return rerun;
  if (typeof command === "function") return command(rerun, failure);
  return `${command} ${isOneWord(rerun) ? shellWord(rerun) : rerun}`;
}

/** Replaces the texts that select failed tests in the summaries with complete commands. */
export function withRerunCommands(tests: readonly TestSummary[]): TestSummary[] {
  return tests.map((summary) => ({
    ...summary,
    failures: summary.failures.map((failure) => {
      const rerun = rerunCommand(summary.runner, failure);
      return rerun === undefined ? failure : { ...failure, rerun };
    }),
  }));
}

/**
 * Returns whether the text that selects a test must be quoted as one word. One with options or quotes is already
 * written for a shell.
 */
function isOneWord(rerun: string): boolean {
  return !/^-|["']|\s-/.test(rerun);
}
