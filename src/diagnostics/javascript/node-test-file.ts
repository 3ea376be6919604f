/** The message of node:test for a file whose process failed; the reason is printed elsewhere, if at all. */
export const NO_REASON = "test failed";

/** Matches the name of a failure that concerns a whole file. */
export const TEST_FILE = /^\S(?:.*[\\/])?[^\\/]*\.[cm]?[jt]sx?$/;

/** Describes the failure of a test file by how its process ended. */
export function fileFailure(exitCode: string | undefined, signal: string | undefined): string {
  if (signal !== undefined) return `${NO_REASON}: its process was killed by ${signal}`;
  return exitCode === undefined || exitCode === "1" ? NO_REASON : `${NO_REASON}: exit code ${exitCode}`;
}
