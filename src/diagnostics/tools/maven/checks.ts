import type { Severity } from "../../../model/diagnostic.ts";
import type { Found } from "../../tool.ts";

/** The severity in brackets before a line of Maven; undefined where there is none. */
export type Level = "INFO" | "WARNING" | "ERROR" | "FATAL" | "DEBUG" | undefined;

const PMD = /^PMD Failure: ([\w.$]+):(\d+) Rule:(\S+) Priority:(\d) (.*)$/;
const SPOTBUGS =
  /^(High|Medium|Low): (.{1,2000}?) \[([\w.$, ]{1,500})\] (?:(.{1,200}?) )?(?:At|at|In|in) ([\w$-]+\.\w+):\[lines? (\d+)(?:-(\d+))?\] (\w+)$/;
const ENFORCER = /^Rule \d+: ([\w.$]+)(?:\(\w+\))? failed with message: ?(.*)$/;

/** Matches lines that Maven prints for every failed build and that therefore say nothing about its cause. */
const BOILERPLATE =
  /^(?:COMPILATION (?:ERROR|WARNING) ?:|To see the full stack trace|Re-run Maven using|For more information about the errors|\[Help \d+\]|After correcting the problems|-> \[Help|Please refer to |See .* for the individual|See dump files|\[ERROR\] Some problems were|Some problems were encountered|It is highly recommended to fix|For this reason, future Maven|-{20,}|  mvn <args>|.* mvn <(?:args|goals)> -rf |Failures: ?$|Errors: ?$|The requested profile |Javadoc Warnings$|Loading source files? |Constructing Javadoc |Building (?:index|tree) for |Standard Doclet version |Generating \S+\.html\.\.\.$)/;

/** Returns whether the line is one that Maven prints for every failed build. */
export function isBoilerplate(text: string): boolean {
  return BOILERPLATE.test(text);
}

interface Check {
  readonly fields: Omit<Found, "message" | "related" | "help">;
  readonly message: string;
}

/** Reads a diagnostic of a check plugin: PMD, SpotBugs or the enforcer. */
export function readCheck(severity: Severity, text: string): Check | undefined {
  const pmd = PMD.exec(text);
  if (pmd !== null) {
    const [, type = "", line, code = "", , message = ""] = pmd;
    return { fields: { severity, tool: "pmd", file: sourceOf(type), line: Number(line), code }, message };
  }
  const bug = SPOTBUGS.exec(text);
  if (bug !== null) {
    const [, , message = "", , , file = "", line, endLine, code = ""] = bug;
    const end = endLine === undefined || endLine === line ? {} : { endLine: Number(endLine) };
    return {
      fields: { severity, tool: "spotbugs", file, line: Number(line), ...end, code },
      message,
    };
  }
  const rule = ENFORCER.exec(text);
  if (rule === null) return undefined;
  const code = (rule[1] ?? "").split(".").at(-1) ?? "";
  return { fields: { severity, code }, message: text };
}

/** Derives the file from the class, because PMD names only the class. */
function sourceOf(type: string): string {
  return `${type.split("$")[0]?.replaceAll(".", "/") ?? type}.java`;
}
