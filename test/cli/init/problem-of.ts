import { FileProblem } from "../../../src/cli/init/file-problem.ts";

/** What an edit of a broken file says is wrong, with the line. */
export function problemOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof FileProblem) return `${error.line}: ${error.message}`;
    throw error;
  }
  return "none";
}
