import { compileUntrusted } from "../../security/untrusted-regex.ts";
import { isSafe } from "../fallback/problem-matchers.ts";
import { type TablePlace, tableError } from "./table-error.ts";

/**
 * The longest line that patterns from a configuration file are tried on. Such a pattern may come with a repository, and
 * may take more than linear time.
 */
export const MAX_CUSTOM_LINE = 500;

/** Compiles a regular expression from a configuration file, or says why it cannot be used. */
export function untrustedPattern(source: string, place: TablePlace): RegExp {
  let pattern: RegExp;
  try {
    pattern = compileUntrusted(source);
  } catch (error) {
    const [, reason = String(error)] = /: ([^:]*)$/.exec(String(error)) ?? [];
    throw tableError(
      place,
      `not a regular expression: ${reason}`,
      "Write it between single quotes, so that TOML leaves backslashes alone: '^(?<file>\\S+):(?<line>\\d+)'.",
    );
  }
  if (isSafe(source)) return pattern;
  throw tableError(
    place,
    "this regular expression may take too long",
    "Repeat no group that itself contains `*` or `+`, use at most eight of them, and no look-around or back reference.",
  );
}
