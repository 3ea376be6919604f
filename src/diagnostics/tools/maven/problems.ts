import { drafting } from "../../parsing/draft.ts";
import type { Draft, Drafting } from "../../parsing/draft.ts";
import type { Found, Sink } from "../../tool.ts";
import { isBoilerplate, type Level, readCheck } from "./checks.ts";
import type { SureFire } from "./surefire.ts";
import type { Place, Severity } from "../../../model/diagnostic.ts";

const PLACE =
  /^(?:file:\/\/)?(.{1,4000}?\.\w{1,10}):(?:\[(\d{1,9})(?:,(\d{1,9}))?\]|(?: \((\d{1,9}), ?(\d{1,9})\):?|(\d{1,9})(?::(\d{1,9}):?|:)))(?: (.*)|$)/;
const FAILED_GOAL = /^Failed to execute goal (\S{1,300})(?: \(.{1,300}?\))? on project (\S{1,200}): ?(.*)$/;
/** Matches causes that only refer to errors above. */
const DERIVED =
  /^(?:Compilation failure|(?:Unable to execute mojo: )?There (?:are|were) (?:test failures|timeouts)|You have \d+ (?:Checkstyle|PMD) violation|Failed during checkstyle execution: There (?:is|are) \d+ error|failed with \d+ bugs|\d+ (?:bugs?|problems?) found)/;
/** Matches Maven's own stack trace, which follows the cause with -e. */
const TRACE = /^(?:\s+at |Caused by: |\s+\.\.\. \d+ more|[\w.$]{1,300}(?:Exception|Error)(?::|$))/;
const CONVERGENCE = /^Dependency convergence error for \S+ paths to dependency are:$/;
const JAVADOC = /\.java:\d{1,9}: (?:warning|error): /;
/** Matches the location that AspectJ's compiler prints below its message. */
const PLACE_BELOW = /^\t(\S.{0,1000}\.\w{1,10}):(\d{1,9})$/;
const HELP = / ?-> \[Help \d+\]$/;

/** Reads the problems that Maven and its plugins report: compile errors, checks, the project model, and the cause of a failed build. */
export class BuildProblems {
  readonly #tests: SureFire;
  readonly #drafts: Drafting;
  readonly #model: ModelProblems;
  #errors = 0;
  /** True if the cause of a failed goal is being read; it extends to its link to the help. */
  #inCause = false;
  /** True if the cause was read; the hints after it occur in every failed build. */
  #afterCause = false;
  /**
   * The source line that Javadoc quotes below a message, held until the next line shows whether it has a caret;
   * `expected` before it is read.
   */
  #quote: "expected" | { readonly severity: Severity; readonly text: string } | undefined;

  constructor(sink: Sink, tests: SureFire) {
    const counting: Sink = {
      ...sink,
      diagnostic: (found: Found) => {
        if (found.severity === "error") this.#errors++;
        sink.diagnostic(found);
      },
    };
    this.#tests = tests;
    this.#drafts = drafting(counting);
    this.#model = modelProblems(counting);
  }

  /** `certain` means that the output is known to be Maven's; only then are its lines of unknown format accepted. */
  take(level: Level, text: string, certain: boolean): boolean {
    if (level === undefined) return this.#model.addLine(text) || this.#readPlain(text);
    if (level !== "INFO" && level !== "DEBUG") return this.#leveled(level, text, certain);
    this.#readQuoted("");
    this.#drafts.close();
    if (text.startsWith("Building ")) this.#afterCause = false;
    return certain && !this.#tests.running;
  }

  /** Called when the test plugins accepted a line, which ends the diagnostic that is being read. */
  pause(): void {
    this.#drafts.close();
  }

  end(): void {
    this.#readQuoted("");
    this.#drafts.close();
    this.#model.end();
  }

  #leveled(level: "WARNING" | "ERROR" | "FATAL", text: string, certain: boolean): boolean {
    const severity: Severity = level === "WARNING" ? "warning" : "error";
    if (this.#model.take(severity, text)) {
      this.#drafts.close();
      return true;
    }
    if (this.#readQuoted(text)) return true;
    if (this.#readFailedGoal(text) || this.#placed(severity, text) || this.#addLine(text)) return true;
    this.#drafts.close();
    if (!certain) return false;
    if (text.trim() === "" || isBoilerplate(text) || (this.#afterCause && level === "ERROR")) return true;
    if (this.#tests.running || /^\s/.test(text)) return true;
    if (this.#quote === "expected") {
      this.#quote = { severity, text };
      return true;
    }
    this.#drafts.open({ severity }, text.replace(HELP, ""));
    this.#afterCause = HELP.test(text);
    return true;
  }

  /** Returns whether the line is the caret below a quoted line; without a caret, the quoted line was a message of its own. */
  #readQuoted(text: string): boolean {
    const quote = this.#quote;
    if (quote === undefined || quote === "expected") return false;
    this.#quote = undefined;
    if (/^\s*\^$/.test(text)) return true;
    this.#drafts.open({ severity: quote.severity }, quote.text.replace(HELP, ""));
    return false;
  }

  #placed(severity: Severity, text: string): boolean {
    const found = readCheck(severity, text) ?? readPlaced(severity, text);
    if (found === undefined) return false;
    this.#quote = JAVADOC.test(text) ? "expected" : undefined;
    this.#drafts.open(found.fields, found.message);
    this.#inCause = false;
    return true;
  }

  #readFailedGoal(text: string): boolean {
    const match = FAILED_GOAL.exec(text);
    if (match === null) return false;
    this.#drafts.close();
    const [, goal = "", project = "", cause = ""] = match;
    const hasCause = HELP.test(cause);
    this.#afterCause = true;
    this.#inCause = false;
    if (this.#isDerived(cause)) return true;
    this.#drafts.open(
      { severity: "error", code: goal.split(":").slice(1).join(":") },
      `Failed to execute goal ${goal} on project ${project}: ${cause.replace(HELP, "")}`,
    );
    this.#inCause = !hasCause;
    return true;
  }

  #isDerived(cause: string): boolean {
    if (cause.trim() === "") return this.#tests.failed;
    if (!DERIVED.test(cause)) return false;
    return cause.includes("test failures") ? this.#tests.failed : this.#errors > 0;
  }

  /** Continues the diagnostic that is being read with a line that has a level such as `[ERROR]`. */
  #addLine(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (this.#inCause) {
      draft.message.push(text.replace(HELP, ""));
      if (HELP.test(text)) {
        this.#inCause = false;
        this.#drafts.close();
      }
      return true;
    }
    // Maven repeats the details of a compile error at the end of the build, with a level such as `[ERROR]` before each
    // line.
    if (draft.found.file === undefined || !/^ {2,}\S/.test(text)) return false;
    addDetail(draft, text);
    return true;
  }

  /**
   * Reads a line without a level such as `[ERROR]`; it continues the diagnostic that is being read or is not Maven's.
   */
  #readPlain(text: string): boolean {
    const draft = this.#drafts.current;
    if (this.#afterCause && draft === undefined && TRACE.test(text)) return true;
    if (draft?.found.file !== undefined && draft.message[0] === "" && /^\S/.test(text)) {
      // The lines so far are replaced, because Eclipse's compiler quotes the source line before the message.
      draft.message.splice(0, draft.message.length, text);
      return true;
    }
    const isDetail =
      draft !== undefined &&
      text.trim() !== "" &&
      !this.#tests.running &&
      (this.#inCause ||
        /^(?:\s+\S|\+-)/.test(text) ||
        (draft.found.code === "DependencyConvergence" && text === "and") ||
        draft.message[0]?.endsWith("failed with message:") === true);
    if (isDetail) addDetail(draft, text);
    else this.#drafts.close();
    if (isDetail || !CONVERGENCE.test(text)) return isDetail;
    this.#drafts.open({ severity: "warning", code: "DependencyConvergence" }, text);
    return true;
  }
}

/** Adds a detail. Error Prone ends a warning with a link and a suggested replacement. */
function addDetail(draft: Draft, text: string): void {
  const url = /^\s+\(see (https?:\/\/\S+?) ?\)$/.exec(text)?.[1];
  const place = draft.found.file === undefined ? PLACE_BELOW.exec(text) : null;
  if (url !== undefined) draft.found = { ...draft.found, url };
  else if (place !== null) draft.found = { ...draft.found, file: place[1] ?? "", line: Number(place[2]) };
  else if (/^\s+Did you mean /.test(text)) draft.help.push(text.trim());
  else draft.message.push(text);
}

interface Placed {
  readonly fields: Omit<Found, "message" | "related" | "help">;
  readonly message: string;
}

function readPlaced(severity: Severity, text: string): Placed | undefined {
  const match = PLACE.exec(text);
  if (match === null) return undefined;
  const [, file = "", line, column, oldLine, oldColumn, newLine, newColumn, rest = ""] = match;
  const place = {
    file,
    line: Number(line ?? oldLine ?? newLine),
    ...placeColumn(column ?? oldColumn ?? newColumn),
  };
  // Reads the rule that the checkstyle plugin prints: `(javadoc) MissingJavadocMethod: Missing a Javadoc comment.`
  const rule = /^\((\w+)\) (\w+): (.*)$/.exec(rest);
  // Older compiler plugins repeat the severity before the message, so it is removed.
  const reported = rest.replace(/^(?:error|warning): /, "");
  if (rule !== null)
    return {
      fields: { severity, tool: "checkstyle", ...place, code: rule[2] ?? "" },
      message: rule[3] ?? "",
    };
  const bracket = /^\[([\w.:-]+)\] (.*)$/.exec(reported);
  if (bracket !== null)
    return { fields: { severity, ...place, code: bracket[1] ?? "" }, message: bracket[2] ?? "" };
  return { fields: { severity, ...place }, message: reported };
}

function placeColumn(column: string | undefined): { column?: number } {
  return column === undefined ? {} : { column: Number(column) };
}

interface ModelProblems {
  take(severity: Severity, text: string): boolean;
  /** Continues a problem's message with a line that has no level such as `[ERROR]`. */
  addLine(text: string): boolean;
  end(): void;
}

interface Problem {
  readonly severity: Severity;
  readonly text: string;
  place: Place | undefined;
}

/** Matches `… is missing. @ line 79, column 21`, optionally with the artifact and its file before the line. */
const AT = /^(.{1,8000}) @ (?:([^@]{1,1000}?), )?line (\d+), column (\d+)(?: -> \[Help \d+\]|:.*)?$/;
const PROJECT = /^\s*The project \S* ?\((.{1,2000})\) has \d+ errors?$/;
const BARE_FATAL = /^(Non-(?:readable|parseable|resolvable) .*?)(?: @ ?| -> \[Help \d+\])?$/;

/**
 * Reads Maven's problems with pom files. The first list often names no file, and the closing list repeats its problems with the file, so they are
 * held back until then.
 */
function modelProblems(sink: Sink): ModelProblems {
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
    addLine: (text) => problems.length > 0 && text.trim() === "@",
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

/** Returns a key that ignores the end of the message, because the closing list may add to a cause. */
function keyOf(text: string): string {
  const at = AT.exec(text);
  return `${text.slice(0, 60)} ${at?.[3] ?? ""}:${at?.[4] ?? ""}`;
}
