import { compileUntrusted, isLinear } from "../../security/untrusted-regex.ts";
import { type TablePlace, tableError } from "./table-error.ts";

/** The longest line that patterns from a configuration file are tried on; no tool prints a longer diagnostic on one line. */
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
  if (isLinear(source)) return pattern;
  throw tableError(
    place,
    "this regular expression may take too long",
    "Use no look-around, no back reference and no large count.",
  );
}
