import type { TestFailure } from "../../model/test-summary.ts";

/**
 * The commands that run failed tests again. Commands that differ only in the test's name and place are written once, as
 * a pattern.
 */
export interface Reruns {
  /** The command that runs a failed test again, if no pattern covers it. */
  of(failure: TestFailure): string | undefined;
  readonly patterns: readonly string[];
}

/** The most patterns that are shown; with more, it would not be clear which failed test each one belongs to. */
const MAX_PATTERNS = 2;

/** Finds the patterns that the commands to run these failed tests again follow. */
export function rerunsOf(failures: readonly TestFailure[]): Reruns {
  const times = new Map<string, number>();
  for (const failure of failures) {
    const pattern = patternOf(failure);
    if (pattern !== undefined) times.set(pattern, (times.get(pattern) ?? 0) + 1);
  }
  const patterns = [...times].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a);
  const shared = new Set(patterns.slice(0, MAX_PATTERNS).map(([pattern]) => pattern));
  return {
    patterns: [...shared].map((pattern) => {
      const covered = failures.filter((failure) => patternOf(failure) === pattern);
      // A name with $ or a backtick must not be pasted between double quotes.
      const safe = covered.some(({ rerun = "" }) => rerun.endsWith("'"))
        ? pattern.replace('"NAME"', "'NAME'")
        : pattern;
      return covered.some(isEscaped) ? `${safe} (as a regular expression)` : safe;
    }),
    of(failure) {
      const pattern = patternOf(failure);
      return pattern === undefined || shared.has(pattern) ? undefined : failure.rerun;
    },
  };
}

function isEscaped({ rerun = "", name }: TestFailure): boolean {
  return rerun.includes("\\") && !name.includes("\\");
}

/**
 * The command to run a test again, with placeholders for name, file and line, whichever quotes the name needs; undefined if the command only repeats the
 * name or the file.
 */
function patternOf({ rerun, name, file, line }: TestFailure): string | undefined {
  if (rerun === undefined || isPlain(rerun, name) || isPlain(rerun, file)) return undefined;
  // Some test runners take the name as a regular expression, so backslashes are ignored in the comparison.
  let pattern = unescaped(rerun);
  for (const written of [name, name.replaceAll("/", "$/^"), name.replaceAll(/ [>›] /g, " ")])
    pattern = pattern.replaceAll(unescaped(written), "NAME");
  const title = unescaped(name.split(/ [>›] |::/).at(-1) ?? name);
  if (!pattern.includes("NAME")) pattern = pattern.replaceAll(title, "NAME");
  if (!pattern.includes("NAME")) pattern = rerun;
  else if (file !== undefined && name.startsWith(`${file}::`))
    pattern = pattern.replace("NAME", "FILE::NAME");
  if (file !== undefined) pattern = pattern.replaceAll(file, "FILE");
  if (line !== undefined) pattern = pattern.replaceAll(`:${line}`, ":LINE");
  return pattern.replace("'NAME'", '"NAME"');
}

/** Checks whether the command is only the test runner followed by the test's name or file. */
function isPlain(rerun: string, what: string | undefined): boolean {
  if (what === undefined) return false;
  const bare = rerun.replaceAll("'", "");
  return (
    bare === what ||
    (bare.endsWith(` ${what}`) && /^[\w./-]+(?: [\w-]+)*$/.test(bare.slice(0, -what.length - 1)))
  );
}

function unescaped(text: string): string {
  return text.replaceAll("\\", "");
}
