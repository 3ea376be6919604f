import { findExpectation } from "../../parsing/expectation.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { firstOwnFrame } from "../../traces/frames.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const teamcity = defineBuildTool({
  id: "teamcity",
  title: "TeamCity service messages",
  url: "https://www.jetbrains.com/help/teamcity/service-messages.html",
  ecosystem: "general",
  kinds: ["build", "lint", "test"],
  signatures: ["##teamcity["],
  priority: 20,
  parser: (sink) => new TeamcityParser(sink),
  repeats: "annotations",
});

const MESSAGE = /^\s*##teamcity\[(\w{1,40})(?: (.*))?\]\s*$/;
const ATTRIBUTE = /(\w{1,40})\s*=\s*'((?:[^'|]|\|.)*)'/g;
/** Matches a suite named after its file or folder, which the location already shows. */
const PATH = /[/\\]/;
/** Upper bound on nested suites and concurrent tests that are tracked. */
const MAX_OPEN = 10_000;

type Attributes = Readonly<Record<string, string>>;

/** Reads the service messages that test runners write for TeamCity and the IDEs of JetBrains. */
class TeamcityParser implements LineParser {
  readonly #sink: Sink;
  /** Tests that started and have no result yet, by flow and name. */
  readonly #open = new Map<string, "runs" | "failed" | "ignored">();
  readonly #suites = new Map<string, string[]>();
  readonly #counts = { passed: 0, failed: 0, skipped: 0, durationMs: 0 };
  #hasTests = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const match = MESSAGE.exec(text);
    if (match === null) return false;
    const [, kind = "", rest = ""] = match;
    const values = attributesOf(rest);
    if (kind.startsWith("test")) this.#test(kind, values);
    else if (kind === "inspection") this.#inspection(values);
    else if (kind === "buildProblem")
      this.#sink.diagnostic({ severity: "error", message: values["description"] ?? "" });
    else if (kind === "message" && /^(?:ERROR|FAILURE|WARNING)$/.test(values["status"] ?? ""))
      this.#sink.diagnostic({
        severity: values["status"] === "WARNING" ? "warning" : "error",
        message: [values["text"], values["errorDetails"]].filter(Boolean).join("\n"),
      });
    return true;
  }

  end(): void {
    if (!this.#hasTests) return;
    const { passed, failed, skipped, durationMs } = this.#counts;
    const unfinished = [...this.#open.values()].filter((outcome) => outcome === "runs").length;
    this.#sink.summary({
      passed,
      failed,
      skipped,
      durationMs,
      total: passed + failed + skipped + unfinished,
    });
  }

  /** Reads a linter's finding. */
  #inspection(values: Attributes): void {
    const { typeId, message = "", file = "", line, SEVERITY = "", tip = "" } = values;
    this.#sink.diagnostic({
      severity: inspected(SEVERITY),
      message,
      ...(file === "" || file === "." ? {} : { file }),
      ...(line === undefined ? {} : { line: Number(line) || 0 }),
      ...(typeId === undefined ? {} : { code: typeId }),
      ...(tip === "" ? {} : { help: [tip] }),
    });
  }

  #test(kind: string, values: Attributes): void {
    const { name = "", flowId = "" } = values;
    const key = `${flowId}\0${name}`;
    const suites = this.#suites.get(flowId) ?? [];
    this.#suites.set(flowId, suites);
    this.#hasTests ||= kind === "testCount" || kind === "testStarted" || kind === "testIgnored";
    if (kind === "testSuiteStarted" && suites.length < MAX_OPEN) suites.push(name);
    else if (kind === "testSuiteFinished") suites.splice(Math.max(0, suites.lastIndexOf(name)));
    else if (kind === "testStarted" && this.#open.size < MAX_OPEN) this.#open.set(key, "runs");
    else if (kind === "testFailed") this.#fail(key, values, suites);
    else if (kind === "testIgnored") {
      if (this.#open.has(key)) this.#open.set(key, "ignored");
      this.#counts.skipped++;
    } else if (kind === "testFinished") {
      if (this.#open.get(key) === "runs") this.#counts.passed++;
      this.#open.delete(key);
      this.#counts.durationMs += Number(values["duration"]) || 0;
    }
  }

  #fail(key: string, values: Attributes, suites: readonly string[]): void {
    this.#hasTests = true;
    if (this.#open.get(key) !== "failed") this.#counts.failed++;
    if (this.#open.has(key)) this.#open.set(key, "failed");
    const { name = "", message = "", details = "", expected, actual } = values;
    const sides =
      expected !== undefined && actual !== undefined
        ? { expected, received: actual }
        : (findExpectation(`${message}\n${details}`) ?? {});
    this.#sink.failure({
      kind: "test",
      name: [...suites.filter((suite) => suite !== "" && !PATH.test(suite)), name].join(" > "),
      message: (message === "" ? (details.split("\n", 1)[0] ?? "") : message).trim(),
      ...firstOwnFrame(details),
      ...sides,
    });
  }
}

function inspected(word: string): Severity {
  if (word === "" || word === "ERROR") return "error";
  return word.startsWith("WARNING") ? "warning" : "info";
}

function attributesOf(text: string): Attributes {
  const found: Record<string, string> = {};
  for (const [, name = "", value = ""] of text.matchAll(ATTRIBUTE)) found[name] = unescaped(value);
  return found;
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "", x: "\n", l: "\n", p: "\n" };

/** Decodes escapes: `|n` is a line end, `||` a bar, `|0x2026` a character. */
function unescaped(text: string): string {
  return text.replaceAll(/\|(?:0x([0-9A-Fa-f]{4})|(.))/g, (_, code: string | undefined, sign: string) =>
    code === undefined ? (ESCAPES[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
