import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { failureOf } from "./failure.ts";
import type { TapPoint } from "./failure.ts";
import { LintFindingReader } from "./lint-findings.ts";

export const tap = defineBuildTool({
  id: "tap",
  title: "TAP 13 and 14",
  url: "https://testanything.org",
  ecosystem: "general",
  kinds: ["test"],
  programs: ["node", "tap", "tape"],
  signatures: ["TAP version ", "not ok ", "ok 1"],
  parser: tapParser,
  rerun: "node --test",
});

const POINT = /^( *)(not )?ok\b(?: (\d{1,9}))?(?: -)?(?: (.*))?$/;
const PLAN = /^( *)1\.\.(\d{1,9})(?: *#.*)?$/;
const DIRECTIVE = / # ?(skip|todo)\S*(?: .*)?$/i;
/** Matches what some runners append to the name of a test. */
const TIMING = / # time=[\d.]+ ?m?s(?: \{)?$| # \{$| \{$/;
const COUNT = /^# (tests|pass|fail|skipped|todo|cancelled|suites|duration_ms) +([\d.]+)$/;
/** Upper bound on kept comments; a failing process explains itself in fewer lines. */
const MAX_COMMENTS = 200;
const STARTS_TAP = /^TAP version 1[34]$/;

/** Reads TAP: test points, plans, subtests by indentation, and the YAML below a failed test point. */
function tapParser(sink: Sink): LineParser {
  const reader = new TapReader(sink);
  return { take: (line) => reader.take(line), end: () => reader.end() };
}

class TapReader {
  readonly #sink: Sink;
  readonly #complaints: LintFindingReader;
  /** True if the output is a linter's, whose test points are files rather than tests. */
  #isLinted = false;
  /** Names of the subtests that contain the current line, by depth. */
  readonly #path: string[] = [];
  /** Depths at which there were test points since the last test point at a lower depth. */
  readonly #children = new Set<number>();
  readonly #printed = new Map<string, number>();
  #isStarted = false;
  #counts = { passed: 0, failed: 0, skipped: 0 };
  #planned: number | undefined;
  #topPoints = 0;
  #pending: TapPoint | undefined;
  /** Indentation of the YAML block that is being read. */
  #yaml: number | undefined;
  #bailed: string | undefined;
  #comments: string[] = [];
  /** Subtests in braces that have not ended. */
  #blocks: { readonly name: string; readonly failed: boolean; readonly before: number }[] = [];
  /** Number of failures that have been reported. */
  #failures = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#complaints = new LintFindingReader(sink);
  }

  take(line: Line): boolean {
    const { text } = line;
    if (this.#pending !== undefined && (this.#inYaml(text) || this.#readBelow(text))) return true;
    if (this.#pending !== undefined && this.#complaints.takeComment(line)) return true;
    if (STARTS_TAP.test(text.trim())) return this.#start();
    const point = POINT.exec(text);
    if (point !== null) return this.#readPoint(point);
    if (!this.#isStarted) return this.#readPlan(text);
    return this.#readPlan(text) || this.#readOther(text);
  }

  end(): void {
    this.#close();
    this.#finish();
  }

  #start(): boolean {
    this.#close();
    this.#finish();
    this.#isStarted = true;
    return true;
  }

  /** Reads a test point. Without a version line only numbered ones count, because prose may start with "ok" as well. */
  #readPoint(match: RegExpExecArray): boolean {
    const [, blanks = "", not, number, rest = ""] = match;
    if (!this.#isStarted && (number === undefined || blanks !== "" || rest === "")) return false;
    this.#close();
    this.#isStarted = true;
    const depth = blanks.length;
    const opens = TIMING.test(rest) && rest.trimEnd().endsWith("{");
    const directive = DIRECTIVE.exec(rest)?.[1]?.toLowerCase();
    const name = rest.replace(TIMING, "").replace(DIRECTIVE, "").replace(/^- /, "").trim();
    const parent = [...this.#children].some((child) => child > depth);
    for (const child of this.#children) if (child > depth) this.#children.delete(child);
    this.#children.add(depth);
    if (depth === 0) this.#topPoints++;
    const path = this.#path.slice(0, depth / 4).filter(Boolean);
    if (opens) {
      this.#path.length = Math.floor(depth / 4);
      this.#path.push(name);
      this.#blocks.push({
        name: [...path, name].join(" > "),
        failed: not !== undefined,
        before: this.#failures,
      });
      return true;
    }
    // The test point that closes a subtest is not counted, because it repeats the results of the test points inside the
    // subtest.
    if (!parent) this.#passed([...path, name].join(" > "), { failed: not !== undefined, directive });
    if (directive === undefined) {
      this.#pending = {
        name: [...path, name].join(" > "),
        passed: not === undefined,
        yaml: [],
        text: [],
        indent: depth,
        parent,
        comments: this.#comments,
      };
      this.#complaints.start(name);
    }
    this.#comments = [];
    return true;
  }

  #passed(name: string, { failed, directive }: { failed: boolean; directive: string | undefined }): void {
    if (directive !== undefined) {
      this.#counts.skipped++;
      this.#sink.outcome({ name, result: "skipped" });
    } else if (!failed) {
      this.#counts.passed++;
      this.#sink.outcome({ name, result: "passed" });
    }
  }

  #inYaml(text: string): boolean {
    const trimmed = text.trim();
    const indent = text.length - text.trimStart().length;
    if (this.#yaml === undefined) {
      if (trimmed !== "---" || indent === 0) return false;
      this.#yaml = indent;
      return true;
    }
    // Three dots end the YAML only if they are not indented more than it, because a diff inside it may contain them
    // too.
    if (trimmed === "..." && indent > 0 && indent <= this.#yaml) {
      this.#yaml = undefined;
      this.#close();
      return true;
    }
    this.#complaints.takeYaml(text);
    if ((this.#pending?.yaml.length ?? 0) < 2_000) this.#pending?.yaml.push(text);
    return true;
  }

  /** Reads text that is indented below a failed test point and is neither YAML nor a subtest's. */
  #readBelow(text: string): boolean {
    const point = this.#pending;
    if (point === undefined || point.passed || point.yaml.length > 0 || point.text.length > MAX_COMMENTS)
      return false;
    const isText =
      text.startsWith(" ".repeat(point.indent + 2)) && !/^ *(?:#|(?:not )?ok\b|1\.\.)/.test(text);
    if (isText) point.text.push(text.slice(point.indent));
    return isText;
  }

  #readPlan(text: string): boolean {
    const plan = PLAN.exec(text);
    if (plan === null) return false;
    this.#close();
    if (plan[1] === "") this.#planned = Number(plan[2]);
    return this.#isStarted || plan[1] === "";
  }

  #readOther(text: string): boolean {
    this.#close();
    const trimmed = text.trim();
    if (trimmed.startsWith("Bail out!")) {
      this.#bailed = trimmed.slice(9).trim();
      return true;
    }
    const subtest = /^( *)# Subtest(?:: (.*))?$/.exec(text);
    if (subtest !== null) {
      this.#path.length = Math.min(this.#path.length, Math.floor((subtest[1] ?? "").length / 4));
      this.#path.push(subtest[2] ?? "");
      return true;
    }
    const count = COUNT.exec(text);
    if (count !== null) this.#printed.set(count[1] ?? "", Number(count[2]));
    else if (text.startsWith("# ") && this.#comments.length < MAX_COMMENTS)
      this.#comments.push(text.slice(2));
    if (trimmed === "}") this.#closeBlock(text.indexOf("}"));
    return /^#(?!#(?:teamcity|vso)\[)/.test(trimmed) || trimmed === "}" || /^pragma [+-]/.test(trimmed);
  }

  /**
   * Ends a subtest in braces, and reports it if it failed although nothing inside it did: a hook or the suite itself
   * failed.
   */
  #closeBlock(depth: number): void {
    this.#path.pop();
    for (const child of this.#children) if (child > depth) this.#children.delete(child);
    const block = this.#blocks.pop();
    if (block?.failed !== true || this.#failures > block.before) return;
    this.#failures++;
    this.#sink.failure({ name: block.name, kind: "suite", message: "failed outside its tests" });
  }

  #close(): void {
    const point = this.#pending;
    this.#pending = undefined;
    this.#yaml = undefined;
    if (point === undefined) return;
    if (this.#complaints.end()) {
      this.#isLinted = true;
      return;
    }
    if (point.passed) return;
    const failure = failureOf(point);
    if (failure === undefined) return;
    if (failure.kind === "test") this.#counts.failed++;
    this.#failures++;
    this.#sink.failure(failure);
  }

  /** Reports the runner's closing counts if it prints them, otherwise those of the test points. */
  #finish(): void {
    if (!this.#isStarted) return;
    const printed = this.#printed;
    const { passed, failed, skipped } = this.#counts;
    if (this.#bailed !== undefined)
      this.#sink.failure({ name: "Bail out!", kind: "unhandled", message: this.#bailed });
    const missing = this.#bailed === undefined ? Math.max(0, (this.#planned ?? 0) - this.#topPoints) : 0;
    const duration = printed.get("duration_ms");
    if (!this.#isLinted)
      this.#sink.summary({
        passed: printed.get("pass") ?? passed,
        failed: Math.max((printed.get("fail") ?? 0) + (printed.get("cancelled") ?? 0), failed),
        skipped: printed.has("skipped")
          ? (printed.get("skipped") ?? 0) + (printed.get("todo") ?? 0)
          : skipped,
        total: printed.get("tests") ?? passed + failed + skipped + missing,
        ...(duration === undefined ? {} : { durationMs: Math.round(duration) }),
      });
    this.#isStarted = false;
    this.#isLinted = false;
    this.#counts = { passed: 0, failed: 0, skipped: 0 };
    this.#printed.clear();
    this.#children.clear();
    this.#path.length = 0;
    this.#blocks = [];
    this.#planned = undefined;
    this.#topPoints = 0;
    this.#bailed = undefined;
  }
}
