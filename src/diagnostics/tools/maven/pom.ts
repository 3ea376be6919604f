import type { Place, Severity } from "../../../model/diagnostic.ts";
import type { Sink } from "../../tool.ts";

export interface ModelProblems {
  take(severity: Severity, text: string): boolean;
  /** More of a problem's message, on a line without a level. */
  goesOn(text: string): boolean;
  end(): void;
}

interface Problem {
  readonly severity: Severity;
  readonly text: string;
  place: Place | undefined;
}

/** `… is missing. @ line 79, column 21`, or with the artifact and its file before the line. */
const AT = /^(.{1,8000}) @ (?:([^@]{1,1000}?), )?line (\d+), column (\d+)(?: -> \[Help \d+\]|:.*)?$/;
const PROJECT = /^\s*The project \S* ?\((.{1,2000})\) has \d+ errors?$/;
const BARE_FATAL = /^(Non-(?:readable|parseable|resolvable) .*?)(?: @ ?| -> \[Help \d+\])?$/;

/**
 * Reads what Maven says of the pom files. The first list often names no file; the closing list repeats its problems under
 * the file's name, so they are held back until then.
 */
export function modelProblems(sink: Sink): ModelProblems {
  const problems: Problem[] = [];
  let file: string | undefined;

  return {
    take(severity, text) {
      const project = PROJECT.exec(text);
      if (project !== null) {
        file = project[1];
        return true;
      }
      if (/^The build could not read \d+ projects?/.test(text)) return true;
      const read = readProblem(severity, text.trim());
      if (read === undefined) return false;
      add(problems, read, file);
      return true;
    },
    goesOn: (text) => problems.length > 0 && text.trim() === "@",
    end() {
      for (const { severity, text, place } of problems) {
        const at = AT.exec(text);
        const message = place === undefined || at === null ? text : (at[1] ?? text).trim();
        sink.diagnostic({ severity, ...place, message });
      }
      problems.length = 0;
    },
  };
}

function readProblem(severity: Severity, text: string): Problem | undefined {
  const at = AT.exec(text);
  if (at === null) {
    const bare = BARE_FATAL.exec(text);
    return bare === null ? undefined : { severity, text: (bare[1] ?? "").trim(), place: undefined };
  }
  const [, message = "", source, line, column] = at;
  const file = source?.split(", ").find((part) => part.includes("/") || part.includes("\\"));
  const named = file ?? /^Non-(?:readable|parseable) POM (.{1,2000}?): /.exec(message)?.[1];
  return {
    severity,
    text: text.replace(/ -> \[Help \d+\]$/, ""),
    place: named === undefined ? undefined : { file: named, line: Number(line), column: Number(column) },
  };
}

function add(problems: Problem[], problem: Problem, file: string | undefined): void {
  const at = AT.exec(problem.text);
  if (problem.place === undefined && file !== undefined)
    problem.place = at === null ? { file } : { file, line: Number(at[3]), column: Number(at[4]) };
  const known = problems.find(
    (one) => one.severity === problem.severity && keyOf(one.text) === keyOf(problem.text),
  );
  if (known === undefined) problems.push(problem);
  else known.place ??= problem.place;
}

/** The closing list may say more of a cause than the first one; the beginning and the line are the same. */
function keyOf(text: string): string {
  const at = AT.exec(text);
  return `${text.slice(0, 60)} ${at?.[3] ?? ""}:${at?.[4] ?? ""}`;
}
