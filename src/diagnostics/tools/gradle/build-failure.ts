import { trimmedText } from "../../parsing/draft.ts";
import type { LineParser, Sink } from "../../tool.ts";
import { javacParser } from "../javac/parse.ts";
import { kotlinParser } from "../kotlin/parse.ts";

export interface BuildFailure {
  take(text: string): boolean;
  end(): void;
}

const WHERE =
  /^(?:Build|Settings|Initialization) (?:file|script) '(.{1,2000})' line: (\d+)$|^(?:Script|Build file|Settings file) '(.{1,2000})' line: (\d+)$/;
const SECTION = /^\* (Where|What went wrong|Try|Exception is|Get more help)\b/;
const END = /^(?:BUILD FAILED|={20,}|\d+ actionable tasks?|FAILURE: )/;
/** Causes that only say that errors or failed tests are above. */
const DERIVED =
  /There were failing tests|Compilation failed; see the compiler|Compilation error\. See log|Compilation failed with exit code|Compilation finished with errors|rule violations were found|Lint found |KtLint found code style violations|Analysis failed with /;

/** Those whose errors Gradle only sums up. */
const COMPILERS = ["kotlin", "javac", "scala", "ktlint", "detekt"];

/** Whether an error of a compiler is the newest that was found: its parser may have taken all its lines unseen. */
function compilerSpoke(sink: Sink): boolean {
  return COMPILERS.some((tool) => {
    const last = sink.retractLast(tool);
    if (last !== undefined) sink.diagnostic(last);
    return last?.severity === "error";
  });
}

/** What is being read of the block that Gradle ends a failed build with. */
type Part = "outside" | "where" | "cause" | "rest";

/** Reads `* What went wrong:` and `* Where:`, once for each failure of the build. */
export function buildFailure(sink: Sink, testsFailed: () => boolean): BuildFailure {
  const nested = nestedCompilers(sink);
  let part: Part = "outside";
  let place: { file: string; line: number } | undefined;
  let cause: string[] = [];
  let sawErrors = false;

  function close(): void {
    const message = trimmedText(cause);
    cause = [];
    nested.end();
    const known = sawErrors || nested.found || testsFailed() || compilerSpoke(sink);
    if (message !== "" && !(DERIVED.test(message) && known))
      sink.diagnostic({ severity: "error", ...place, message });
    place = undefined;
  }

  function section(text: string): boolean {
    const name = SECTION.exec(text)?.[1];
    if (name === undefined) return false;
    if (part === "cause") close();
    part = name === "Where" ? "where" : name === "What went wrong" ? "cause" : "rest";
    return true;
  }

  return {
    take(text) {
      if (section(text)) return true;
      if (part === "outside") {
        sawErrors ||= text.includes(": error: ") || text.startsWith("e: ");
        return false;
      }
      if (END.test(text)) {
        if (part === "cause") close();
        part = "outside";
        return true;
      }
      if (part === "where") place = readWhere(text) ?? place;
      if (part === "cause" && !nested.take(text)) cause.push(text);
      return true;
    },
    end() {
      if (part === "cause") close();
      part = "outside";
    },
  };
}

function readWhere(text: string): { file: string; line: number } | undefined {
  const match = WHERE.exec(text);
  if (match === null) return undefined;
  return { file: match[1] ?? match[3] ?? "", line: Number(match[2] ?? match[4]) };
}

/** Newer versions repeat the compilers' errors, indented, in the cause. They go to the same parsers as the first time. */
function nestedCompilers(sink: Sink): { take(text: string): boolean; end(): void; readonly found: boolean } {
  let found = false;
  const as = (tool: string): Sink => ({
    ...sink,
    diagnostic(one) {
      found = true;
      sink.diagnostic({ ...one, tool });
    },
  });
  const parsers: readonly LineParser[] = [javacParser(as("javac")), kotlinParser(as("kotlin"))];
  return {
    take(text) {
      if (!text.startsWith("  ")) return false;
      const line = { text: text.slice(2), number: 0, stream: "stdout" } as const;
      return parsers.some((parser) => parser.take(line));
    },
    end() {
      for (const parser of parsers) parser.end();
    },
    get found() {
      return found;
    },
  };
}
