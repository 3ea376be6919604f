import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { javaFrame, placeAtFrame, setJavaMessage } from "../../traces/java-trace.ts";

export const junitConsole = defineBuildTool({
  id: "junit-console",
  title: "JUnit console launcher and JUnit 4",
  url: "https://junit.org",
  ecosystem: "java",
  kinds: ["test"],
  signatures: [
    "JUnit Jupiter",
    "JUnit Vintage",
    "JUnit version 4",
    "JUnit4 Test Runner",
    "FAILURES!!!",
    "Test run finished after",
    " tests found ",
  ],
  priority: 12,
  parser: (sink) => new JunitParser(sink),
});

const FAILURES = /^Failures \(\d+\):$/;
/** Matches `  JUnit Jupiter:CartTest:sums()`, the path through the engine's tree. */
const ENTRY = /^ {2}(JUnit (?:Jupiter|Vintage|Platform Suite)|\w[\w ]{0,60}):(.{1,1500})$/;
const SOURCE =
  /^ {4}(?:MethodSource|ClassSource) \[className = '([^']{1,500})'(?:, methodName = '([^']{1,300})')?/;
const CAUSE = /^ {4}=> (.*)$/;
const COUNT =
  /^\[ {1,20}(\d+) (tests|containers) (found|skipped|started|aborted|successful|failed) {1,20}\]$/;
const FINISHED = /^Test run finished after (\d+) ms$/;
/** Matches the first line that JUnit 4's own text runner prints. */
const OLD_START = /^JUnit(?: version 4\.|4 Test Runner$)/;
const OLD_ENTRY = /^\d{1,6}\) (.{1,800})\(([\w.$]{1,500})\)$/;
const OLD_COUNTS = /^(?:OK \((\d+) tests?\)|Tests run: (\d+), {1,3}Failures: (\d+))$/;
const OLD_TIME = /^Time: ([\d.,]+)$/;
const TREE = /^(?:[╷.+|│├└'`-][ ─│├└'`|+.-]{0,80})(?:\S.*)?$/u;

type Mode = "none" | "platform" | "junit4";

/** Reads JUnit's console launcher and JUnit 4's text runner. */
class JunitParser implements LineParser {
  readonly #sink: Sink;
  #mode: Mode = "none";
  #failure: FailureDraft | undefined;
  #inTrace = false;
  readonly #counts = new Map<string, number>();
  #durationMs: number | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (OLD_START.test(text)) {
      this.#mode = "junit4";
      return true;
    }
    // If JUnit 4 is run by another program, it prints no header, but a numbered entry with a qualified class name still
    // identifies it.
    if (this.#mode === "none" && /^\d{1,6}\) .{1,800}\([\w$]+(?:\.[\w$]+)+\)$/.test(text))
      this.#mode = "junit4";
    if (FAILURES.test(text)) {
      this.#close();
      this.#mode = "platform";
      return true;
    }
    if (this.#readClosing(text)) return true;
    if (this.#mode === "platform") return this.#readPlatform(text);
    if (this.#mode === "junit4") return this.#readJunit4(text);
    return (
      text.startsWith("├─ JUnit ") ||
      text.startsWith("└─ JUnit ") ||
      (TREE.test(text) && /[✔✘↷]|\[(?:OK|X|S|A)\]/u.test(text))
    );
  }

  end(): void {
    this.#close();
    this.#flush();
  }

  #readPlatform(text: string): boolean {
    const entry = ENTRY.exec(text);
    if (entry !== null) {
      this.#close();
      this.#failure = { name: (entry[2] ?? "").replaceAll(":", " > "), kind: "test", message: [] };
      this.#inTrace = false;
      return true;
    }
    const failure = this.#failure;
    if (failure === undefined) return text.trim() === "";
    const source = SOURCE.exec(text);
    if (source !== null) {
      const [, type = "", method] = source;
      if (method === undefined) failure.kind = "suite";
      failure.rerun = method === undefined ? type : `${type}#${method}`;
      return true;
    }
    const cause = CAUSE.exec(text)?.[1];
    if (cause !== undefined) {
      failure.message.push(cause);
      return true;
    }
    return this.#traceLine(failure, text);
  }

  #readJunit4(text: string): boolean {
    const entry = OLD_ENTRY.exec(text);
    if (entry !== null) {
      this.#close();
      const [, method = "", type = ""] = entry;
      this.#failure = { name: `${type}.${method}`, kind: "test", message: [], rerun: type };
      this.#inTrace = false;
      return true;
    }
    if (/^(?:There (?:was|were) \d+ failures?:|FAILURES!!!|[.EI]+)$/.test(text)) {
      this.#close();
      return true;
    }
    return this.#failure === undefined ? text.trim() === "" : this.#traceLine(this.#failure, text);
  }

  #traceLine(failure: FailureDraft, text: string): boolean {
    const frame = /^(?:\s{4,}|\tat )/.test(text) ? javaFrame(text) : undefined;
    if (frame !== undefined) {
      this.#inTrace = true;
      placeAtFrame(failure, frame);
    } else if (/^\s*(?:Caused by: |\.\.\. \d+ |\[\.\.\.\]|Suppressed: )/.test(text)) this.#inTrace = true;
    else if (!this.#inTrace) failure.message.push(text);
    return true;
  }

  #readClosing(text: string): boolean {
    const finished = FINISHED.exec(text)?.[1];
    if (finished !== undefined) {
      this.#close();
      this.#durationMs = Number(finished);
      this.#mode = "none";
      return true;
    }
    const count = text.startsWith("[") ? COUNT.exec(text) : null;
    if (count !== null) {
      this.#counts.set(`${count[2] ?? ""} ${count[3] ?? ""}`, Number(count[1]));
      if (count[2] === "tests" && count[3] === "failed") this.#flush();
      return true;
    }
    if (this.#mode !== "junit4") return false;
    const time = OLD_TIME.exec(text)?.[1];
    if (time !== undefined) this.#durationMs = Math.round(Number(time.replaceAll(",", "")) * 1000);
    const old = OLD_COUNTS.exec(text);
    if (old === null) return time !== undefined;
    this.#close();
    const total = Number(old[1] ?? old[2]);
    this.#report({ total, failed: Number(old[3] ?? 0), skipped: 0 });
    return true;
  }

  #flush(): void {
    if (this.#counts.size === 0) return;
    const count = (name: string): number => this.#counts.get(name) ?? 0;
    const suites = count("containers failed");
    this.#report({
      total: count("tests found"),
      failed: count("tests failed"),
      skipped: count("tests skipped") + count("tests aborted"),
      ...(suites > 0 ? { failedSuites: suites } : {}),
    });
    this.#counts.clear();
  }

  #report(counts: { total: number; failed: number; skipped: number; failedSuites?: number }): void {
    const duration = this.#durationMs === undefined ? {} : { durationMs: this.#durationMs };
    const passed = Math.max(0, counts.total - counts.failed - counts.skipped);
    this.#sink.summary({ ...counts, passed, ...duration });
    this.#durationMs = undefined;
  }

  #close(): void {
    if (this.#failure !== undefined) {
      setJavaMessage(this.#failure);
      this.#sink.failure(finishedFailure(this.#failure));
    }
    this.#failure = undefined;
  }
}
