import type { Severity } from "../../../model/diagnostic.ts";
import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { readJsonLine } from "./report.ts";
import { TestRuns } from "./test-runs.ts";

const BOX = /^[│|] ?(.*)$/u;
const HEAD = /^(Error|Warning): (.*)$/;
/** `on main.tf line 3, in resource "aws_instance" "web":` */
const ON = /^ {0,4}on (.{1,1000}?) line (\d{1,9})(?:-(\d{1,9}))?(?:, in (.*?))?(?::.*)?$/;
const WITH = /^ {0,4}with (.{1,500}),$/;
const SOURCE = /^ {1,8}\d{1,7}: |^ {2,8}[├│]|^ {2}\(source code not available\)/u;
const RULE = /^(.*) \(([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\)$/;
const REFERENCE = /^Reference: (https?:\/\/\S+)$/;
/** Lines that only Terraform and OpenTofu write: from then on an `Error:` without a box is theirs. */
const CONTEXT =
  /(?:^|: )Refreshing state\.\.\.|^(?:Terraform|OpenTofu) (?:has been|will perform|used the selected|planned|Cloud|v\d)|^Initializing (?:the backend|provider plugins|modules)|^Plan: \d+ to (?:add|import)|^\d+ issue\(s\) found:$|^An execution plan has been generated|^Acquiring state lock|^Success! The configuration is valid/;

/** Reads Terraform's, OpenTofu's and TFLint's complaints, in a box or without. */
export class TerraformParser implements LineParser {
  readonly #runs: TestRuns;
  readonly #drafts;
  #boxed = false;
  #blank = 0;
  #context = false;
  /** An `Error:` line that is Terraform's only if a place follows. */
  #unsure: { severity: Severity; summary: string; age: number } | undefined;

  constructor(sink: Sink) {
    this.#runs = new TestRuns(sink);
    this.#drafts = drafting(this.#runs.sink);
  }

  take({ text }: Line): boolean {
    if (text.startsWith('{"@level"')) return readJsonLine(text, this.#runs);
    if (text === "╷" || text === "╵") {
      this.#drafts.close();
      this.#boxed = text === "╷";
      return true;
    }
    if (this.#boxed) {
      const inside = BOX.exec(text)?.[1];
      if (inside !== undefined) return this.#line(inside);
      this.#drafts.close();
      this.#boxed = false;
    }
    return this.#plain(text);
  }

  end(): void {
    this.#drafts.close();
    this.#runs.end();
  }

  #plain(text: string): boolean {
    if (CONTEXT.test(text)) this.#context = true;
    if (TestRuns.owns(text)) {
      this.#drafts.close();
      this.#runs.line(text);
      this.#context = true;
      return true;
    }
    const head = HEAD.exec(text);
    if (head !== null && this.#context) return this.#line(text);
    if (head !== null) {
      this.#drafts.close();
      this.#unsure = { severity: severityOf(head[1]), summary: head[2] ?? "", age: 0 };
      return false;
    }
    const unsure = this.#unsure;
    if (unsure !== undefined && this.#drafts.current === undefined) {
      // The place comes after at most a blank line and the resource's address.
      if (++unsure.age > 3) this.#unsure = undefined;
      if (!ON.test(text)) return false;
      this.#open(unsure.severity, unsure.summary);
      this.#unsure = undefined;
    }
    if (this.#drafts.current === undefined) return false;
    this.#blank = text.trim() === "" ? this.#blank + 1 : 0;
    if (this.#blank < 2) return this.#line(text);
    this.#drafts.close();
    return true;
  }

  #line(text: string): boolean {
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
      this.#runs.stands(block);
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
