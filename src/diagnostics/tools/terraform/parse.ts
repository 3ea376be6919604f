import { drafting } from "../../parsing/draft.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { DocumentParser, Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

const BOX = /^[│|] ?(.*)$/u;
const HEAD = /^(Error|Warning): (.*)$/;
/** Matches `on main.tf line 3, in resource "aws_instance" "web":`. */
const ON = /^ {0,4}on (.{1,1000}?) line (\d{1,9})(?:-(\d{1,9}))?(?:, in (.*?))?(?::.*)?$/;
const WITH = /^ {0,4}with (.{1,500}),$/;
const SOURCE = /^ {1,8}\d{1,7}: |^ {2,8}[├│]|^ {2}\(source code not available\)/u;
const RULE = /^(.*) \(([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\)$/;
const REFERENCE = /^Reference: (https?:\/\/\S+)$/;
/** Matches lines that only Terraform and OpenTofu print; a later `Error:` without a box is then theirs. */
const CONTEXT =
  /(?:^|: )Refreshing state\.\.\.|^(?:Terraform|OpenTofu) (?:has been|will perform|used the selected|planned|Cloud|v\d)|^Initializing (?:the backend|provider plugins|modules)|^Plan: \d+ to (?:add|import)|^\d+ issue\(s\) found:$|^An execution plan has been generated|^Acquiring state lock|^Success! The configuration is valid/;

/** Reads diagnostics of Terraform, OpenTofu and TFLint, with or without a box. */
export class TerraformParser implements LineParser {
  readonly #isTesting: TestRuns;
  readonly #drafts;
  #isBoxed = false;
  #blank = 0;
  #isRecognized = false;
  /** An `Error:` line that is held, because it is Terraform's only if a location follows. */
  #unsure: { severity: Severity; summary: string; age: number } | undefined;

  constructor(sink: Sink) {
    this.#isTesting = new TestRuns(sink);
    this.#drafts = drafting(this.#isTesting.sink);
  }

  take({ text }: Line): boolean {
    if (text.startsWith('{"@level"')) return readJsonLine(text, this.#isTesting);
    if (text === "╷" || text === "╵") {
      this.#drafts.close();
      this.#isBoxed = text === "╷";
      return true;
    }
    if (this.#isBoxed) {
      const inside = BOX.exec(text)?.[1];
      if (inside !== undefined) return this.#readLine(inside);
      this.#drafts.close();
      this.#isBoxed = false;
    }
    return this.#readPlain(text);
  }

  end(): void {
    this.#drafts.close();
    this.#isTesting.end();
  }

  #readPlain(text: string): boolean {
    if (CONTEXT.test(text)) this.#isRecognized = true;
    if (TestRuns.owns(text)) {
      this.#drafts.close();
      this.#isTesting.line(text);
      this.#isRecognized = true;
      return true;
    }
    const head = HEAD.exec(text);
    if (head !== null && this.#isRecognized) return this.#readLine(text);
    if (head !== null) {
      this.#drafts.close();
      this.#unsure = { severity: severityOf(head[1]), summary: head[2] ?? "", age: 0 };
      return false;
    }
    const unsure = this.#unsure;
    if (unsure !== undefined && this.#drafts.current === undefined) {
      // An `Error:` line is followed by its location within a few lines, after at most a blank line and the resource's
      // address.
      if (++unsure.age > 3) this.#unsure = undefined;
      if (!ON.test(text)) return false;
      this.#open(unsure.severity, unsure.summary);
      this.#unsure = undefined;
    }
    if (this.#drafts.current === undefined) return false;
    this.#blank = text.trim() === "" ? this.#blank + 1 : 0;
    if (this.#blank < 2) return this.#readLine(text);
    this.#drafts.close();
    return true;
  }

  #readLine(text: string): boolean {
    const head = HEAD.exec(text);
    if (head !== null) {
      this.#open(severityOf(head[1]), head[2] ?? "");
      return true;
    }
    const draft = this.#drafts.current;
    if (draft === undefined) return true;
    const on = ON.exec(text);
    if (on !== null && draft.found.file === undefined) {
      const [, file = "", line, endLine, block] = on;
      this.#isTesting.enterBlock(block);
      draft.found = {
        ...draft.found,
        file,
        line: Number(line),
        ...(endLine === undefined ? {} : { endLine: Number(endLine) }),
      };
      return true;
    }
    const reference = REFERENCE.exec(text)?.[1];
    if (reference !== undefined) {
      draft.found = { ...draft.found, url: reference };
      this.#drafts.close();
      return true;
    }
    if (WITH.test(text) || SOURCE.test(text)) return true;
    if (text.trim() !== "" || draft.message.length > 1) draft.message.push(text);
    return true;
  }

  #open(severity: Severity, summary: string): void {
    this.#blank = 0;
    const rule = RULE.exec(summary);
    if (rule === null) this.#drafts.open({ severity }, summary);
    else this.#drafts.open({ severity, tool: "tflint", code: rule[2] ?? "" }, rule[1] ?? "");
  }
}

function severityOf(word: string | undefined): Severity {
  return word === "Warning" ? "warning" : "error";
}

/** Reads the reports of `terraform validate -json` and of TFLint's json format. */
export const terraformReport: DocumentParser = {
  matches: (start) =>
    (start.startsWith("{") && start.includes('"issues"') && start.includes('"rule"')) ||
    (start.startsWith("{") && start.includes('"valid"') && start.includes('"diagnostics"')),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report !== undefined && Array.isArray(report["issues"]))
      return reportIssues(asObjects(report["issues"]), asObjects(report["errors"]), sink);
    if (report === undefined || typeof report["valid"] !== "boolean") return false;
    for (const one of asObjects(report["diagnostics"])) reportDiagnostic(one, sink);
    return true;
  },
};

/** Reads a line of the machine-readable output of plan, apply and test; returns false for any other line. */
function readJsonLine(text: string, runs: TestRuns): boolean {
  const event = asObject(parseJson(text));
  if (event === undefined || asText(event["@level"]) === undefined) return false;
  const found = event["type"] === "diagnostic" ? asObject(event["diagnostic"]) : undefined;
  if (found !== undefined) reportDiagnostic(found, runs.sink);
  else runs.event(event);
  return true;
}

function reportIssues(issues: readonly JsonObject[], errors: readonly JsonObject[], sink: Sink): boolean {
  const known = issues.filter(
    (issue) => asObject(issue["rule"]) !== undefined && asObject(issue["range"]) !== undefined,
  );
  for (const issue of known) {
    const rule = asObject(issue["rule"]);
    const range = asObject(issue["range"]);
    const start = asObject(range?.["start"]);
    const end = asObject(range?.["end"]);
    const word = asText(rule?.["severity"])?.toLowerCase();
    sink.diagnostic(
      defined({
        tool: "tflint",
        severity:
          word === "error"
            ? ("error" as const)
            : word === "warning"
              ? ("warning" as const)
              : ("info" as const),
        message: asText(issue["message"]) ?? "",
        file: asText(range?.["filename"]),
        line: asNumber(start?.["line"]),
        column: asNumber(start?.["column"]),
        endLine: asNumber(end?.["line"]),
        endColumn: asNumber(end?.["column"]),
        code: asText(rule?.["name"]),
        url: asText(rule?.["link"]),
      }),
    );
  }
  // Files that TFLint could not read are reported as errors; the message contains the text after its headline.
  for (const error of errors)
    reportDiagnostic(
      { ...error, summary: error["summary"] ?? error["message"], detail: error["message"] },
      sink,
    );
  return known.length + errors.length > 0;
}

function reportDiagnostic(one: JsonObject, sink: Sink): void {
  const range = asObject(one["range"]);
  const start = asObject(range?.["start"]);
  const end = asObject(range?.["end"]);
  const detail = asText(one["detail"]) ?? "";
  const summary = asText(one["summary"]) ?? "";
  sink.diagnostic(
    defined({
      severity: one["severity"] === "warning" ? ("warning" as const) : ("error" as const),
      message: detail === "" || detail === summary ? summary : `${summary}\n${detail}`,
      file: asText(range?.["filename"]),
      line: asNumber(start?.["line"]),
      column: asNumber(start?.["column"]),
      endLine: asNumber(end?.["line"]),
      endColumn: asNumber(end?.["column"]),
    }),
  );
}

const RUN = /^ {2}run "(.{1,300})"\.\.\. (pass|fail|error|skip|pending)$/;
const FILE =
  /^(\S.{0,1000}\.(?:tftest|tofutest)\.(?:hcl|json))\.\.\. (?:in progress|tearing down|pass|fail|skip)$/;
const COUNTS = /^(?:Success|Failure)! (\d{1,9}) passed, (\d{1,9}) failed(?:, (\d{1,9}) skipped)?\.$/;
/** Matches the name of the block that contains a diagnostic, if the block is a test run: `run "adds"`. */
const IN_RUN = /^run "(.{1,300})"$/;

/**
 * Reads `terraform test`. Diagnostics go to stderr and may come before or after the run's line on stdout, so they belong to the run that they name,
 * otherwise to the one that failed last.
 */
class TestRuns {
  readonly #sink: Sink;
  #file = "";
  /** True if tests started and their counts are still missing. */
  #isTesting = false;
  #last: string | undefined;
  #named: string | undefined;
  readonly #failed = new Map<string, { readonly name: string; readonly diagnostics: Found[] }>();
  readonly #waiting = new Map<string, Found[]>();

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  /** Receives the diagnostics of test runs. */
  get sink(): Sink {
    return { ...this.#sink, diagnostic: (found) => this.#assign(found) };
  }

  /** Returns whether the line belongs to the list of test runs or ends it. */
  static owns(text: string): boolean {
    return RUN.test(text) || FILE.test(text) || COUNTS.test(text);
  }

  /** Reads a line of the list of test runs, for which `owns` returned true. */
  line(text: string): void {
    this.#file = FILE.exec(text)?.[1] ?? this.#file;
    this.#isTesting = !COUNTS.test(text);
    const [, name, outcome = ""] = RUN.exec(text) ?? [];
    this.#last = undefined;
    if (name !== undefined && /fail|error/.test(outcome)) this.#fail(name);
    const [, passed, failed, skipped = 0] = COUNTS.exec(text) ?? [];
    if (passed !== undefined)
      this.#sink.summary({ passed: Number(passed), failed: Number(failed), skipped: Number(skipped) });
  }

  /** Reads test runs and counts from events of the machine-readable output. */
  event(event: JsonObject): void {
    const run = asObject(event["test_run"]);
    if (run !== undefined || event["type"] === "test_file") this.#last = undefined;
    const status = run?.["progress"] === "complete" ? asText(run["status"]) : undefined;
    this.#file = asText(run?.["path"]) ?? this.#file;
    if (status === "fail" || status === "error") this.#fail(asText(run?.["run"]) ?? "");
    const summary = asObject(event["test_summary"]);
    if (summary === undefined) return;
    const count = (key: string): number => asNumber(summary[key]) ?? 0;
    const [passed, skipped] = [count("passed"), count("skipped")];
    this.#sink.summary({ passed, failed: count("failed") + count("errored"), skipped });
  }

  /** Remembers the configuration block that contains the next diagnostic, as the diagnostic's location names it. */
  enterBlock(block: string | undefined): void {
    this.#named = IN_RUN.exec(block ?? "")?.[1];
  }

  end(): void {
    for (const [key, { name, diagnostics }] of this.#failed) {
      const all = [...diagnostics, ...(this.#waiting.get(key) ?? [])];
      this.#waiting.delete(key);
      this.#reportRun(name, all);
    }
    for (const found of [...this.#waiting.values()].flat()) this.#sink.diagnostic(found);
    if (this.#isTesting) this.#sink.summary({ failed: this.#failed.size });
    this.#isTesting = false;
    this.#failed.clear();
    this.#waiting.clear();
    this.#last = undefined;
  }

  #fail(name: string): void {
    this.#last = `${this.#file}\0${name}`;
    this.#failed.set(this.#last, { name, diagnostics: [] });
  }

  #assign(found: Found): void {
    const named = this.#named === undefined ? undefined : `${found.file ?? ""}\0${this.#named}`;
    this.#named = undefined;
    const open = this.#last === undefined ? undefined : this.#failed.get(this.#last);
    if (found.severity !== "error" || (named === undefined && open === undefined))
      this.#sink.diagnostic(found);
    else if (named === undefined || named === this.#last) open?.diagnostics.push(found);
    else this.#waiting.set(named, [...(this.#waiting.get(named) ?? []), found]);
  }

  #reportRun(name: string, diagnostics: readonly Found[]): void {
    const { file, line, column } = diagnostics.find((one) => one.file !== undefined) ?? {};
    this.#sink.failure({
      kind: "test",
      name,
      message: diagnostics.map(({ message }) => message).join("\n\n"),
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
    });
  }
}
