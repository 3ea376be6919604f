import { FileProblem } from "../../../src/cli/init/file-problem.ts";

/** Returns the error of an edit of a broken file, with its line. */
export function problemOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof FileProblem) return `${error.line}: ${error.message}`;
    throw error;
  }
  return "none";
}
