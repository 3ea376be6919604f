import { createEngine } from "../../../src/diagnostics/engine/engine.ts";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { judgeLog } from "../../../src/diagnostics/summarize/judge-log.ts";
import { withRerunCommands } from "../../../src/diagnostics/summarize/rerun-command.ts";
import { estimateTokens } from "../../../src/kernel/tokens.ts";
import type { LogStatus } from "../../../src/model/log-status.ts";
import { renderParsedLog } from "../../../src/render/log/parsed-log.ts";
import type { LogCase } from "./cases.ts";

/** What the reply about one failing log, and about the log of the fixed job, says. */
export interface CaseScore {
  readonly log: LogCase;
  readonly reply: string;
  readonly tokens: number;
  readonly tailTokens: number;
  /** Whether the log, its last 200 lines and the reply contain the name of a file that the fix changed. */
  readonly isNamedIn: Readonly<Record<"log" | "tail" | "reply", boolean>>;
  readonly isGreen: boolean;
  /** Whether the log is called green after the lines of the CI system are removed from it. */
  readonly isBareGreen: boolean;
  readonly isFalseRed?: boolean;
  readonly isBareFalseRed?: boolean;
}

const TAIL_LINES = 200;

export function scoreCase(log: LogCase): CaseScore {
  const { reply, status } = parse(log.failing);
  const tail = log.failing.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
  return {
    log,
    reply,
    tokens: estimateTokens(reply),
    tailTokens: estimateTokens(tail),
    isNamedIn: {
      log: names(log.failing, log.fixed),
      tail: names(tail, log.fixed),
      reply: names(reply, log.fixed),
    },
    isGreen: isGreen(status),
    isBareGreen: isGreen(parse(withoutCiLines(log.failing)).status),
    ...(log.passing === undefined
      ? {}
      : {
          isFalseRed: !isGreen(parse(log.passing).status),
          isBareFalseRed: !isGreen(parse(withoutCiLines(log.passing)).status),
        }),
  };
}

/** Parses a log and writes the reply as `pith parse` does. */
function parse(text: string): { reply: string; status: LogStatus } {
  const engine = createEngine();
  engine.write(text);
  const result = judgeLog(engine.end());
  const log = { ...result, tests: withRerunCommands(result.tests) };
  return { reply: renderParsedLog(log, groupDiagnostics(log.causes)), status: result.status };
}

function isGreen(status: LogStatus): boolean {
  return status === "passed" || status === "clean";
}

const CI_LINE =
  /^(?:travis_(?:time|fold):|.{0,20}The command .* (?:exited with|failed and|failed \d)|.{0,20}Done\. Your build|.{0,20}Your build has been)/;

/** Removes the lines in which Travis reports the result of a command or of the job, as in output that was copied from a terminal. */
function withoutCiLines(text: string): string {
  return text
    .split("\n")
    .filter((line) => !CI_LINE.test(line) && !/exited with \d+\./.test(line))
    .join("\n");
}

/**
 * Checks whether a text names one of the files: its name with the extension, the class that a file of a JVM or .NET language holds, or the
 * last two parts of a Python module's dotted name.
 */
function names(text: string, files: readonly string[]): boolean {
  return files.some((file) => namesOf(file).some((name) => hasWord(text, name)));
}

function namesOf(file: string): string[] {
  const parts = file.split("/");
  const [, stem = "", extension = ""] = /^(.+?)(\.\w+)?$/.exec(parts.at(-1) ?? "") ?? [];
  const folder = parts.at(-2);
  const base =
    isCommon(stem + extension) && folder !== undefined
      ? `${folder}/${stem}${extension}`
      : `${stem}${extension}`;
  if (/^\.(?:java|kt|scala|groovy|cs)$/.test(extension)) return [base, stem];
  return extension === ".py" && folder !== undefined ? [base, `${folder}.${stem}`] : [base];
}

/** Names that many folders have say nothing without the folder. */
function isCommon(name: string): boolean {
  return /^(?:__init__\.py|index\.\w+|mod\.rs|pom\.xml|package\.json|build\.gradle|Makefile|CMakeLists\.txt)$/.test(
    name,
  );
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/\w/.test(text[at - 1] ?? " ") && !/\w/.test(text[at + word.length] ?? " ")) return true;
  return false;
}
