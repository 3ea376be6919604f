/** What node:test says of a file whose process failed; the reason stands elsewhere, if anywhere. */
export const NO_REASON = "test failed";

/** A failure of a whole file has the file's name. */
export const TEST_FILE = /^\S(?:.*[\\/])?[^\\/]*\.[cm]?[jt]sx?$/;

/** The failure of a file in words, from how its process ended. */
export function fileFailure(exitCode: string | undefined, signal: string | undefined): string {
  if (signal !== undefined) return `${NO_REASON}: its process was killed by ${signal}`;
  return exitCode === undefined || exitCode === "1" ? NO_REASON : `${NO_REASON}: exit code ${exitCode}`;
}
