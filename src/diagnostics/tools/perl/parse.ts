import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const PLACED =
  /^(.{1,4000}) at (\S{1,800}(?:\.p[lmh]|\.t|\.cgi)|-e|-) line (\d{1,9})(?:, (?:near|at|within) .*|\.)?$/;
/** Perl's own words: what a program says with die or warn looks the same and may mean either. */
const ERROR =
  /^(?:syntax error|Global symbol |Bareword |Can't (?:locate|find|call|use|modify|declare|open perl)|Undefined subroutine |Missing right |Unmatched |Illegal |Not enough arguments|Too many arguments|Type of arg|No such class|Invalid |Number found where|String found where|Unrecognized character|BEGIN not safe|Attempt to reload|Substitution |Search pattern )/;
const WARNING =
  /^(?:Use of uninitialized|Argument ".*" isn't numeric|Odd number of elements|Useless use of|Name ".*" used only once|Subroutine \S+ redefined|".*" variable .* masks|Possible |Deep recursion|Scalar value |Unquoted string|Found = in conditional|Applying |Statement unlikely|Wide character)/;
const DERIVED =
  /^(?:BEGIN failed--compilation aborted|Compilation failed in require|\S+ had compilation errors|Execution of \S+ aborted)/;

/** `lib/Cart.pm: Code is not tidy at line 1, column 1.  See page 33 of PBP.  (Severity: 1)`; of one file alone the name is left out. */
const CRITIC =
  /^(?:(\S{1,800}?): )?(.{1,2000}) at line (\d{1,9}), column (\d{1,9})\. .{0,400}\bSeverity: \d\)?$/;

/** Reads the Perl interpreter's own errors and warnings. */
export const perlParser = singleLine((text): LineReading => {
  if (DERIVED.test(text)) return "noise";
  const critic = text.includes("Severity: ") ? CRITIC.exec(text) : null;
  if (critic !== null) {
    const [, file, message = "", line, column] = critic;
    const place = { ...(file === undefined ? {} : { file }), line: Number(line), column: Number(column) };
    return { severity: "warning", tool: "perlcritic", ...place, message };
  }
  const match = / line \d/.test(text) ? PLACED.exec(text) : null;
  if (match === null) return undefined;
  const [, message = "", file = "", line] = match;
  const severity = ERROR.test(message) ? "error" : WARNING.test(message) ? "warning" : undefined;
  return severity === undefined ? undefined : { severity, file, line: Number(line), message };
});
