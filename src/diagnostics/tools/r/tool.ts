import { drafting } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const r = defineBuildTool({
  id: "r",
  title: "R and R CMD check",
  url: "https://www.r-project.org",
  ecosystem: "general",
  kinds: ["build", "test", "run"],
  signatures: ["* checking ", "Execution halted", "Error in ", "Warning message"],
  priority: 3,
  parser: (sink) => new RParser(sink),
  commands: [
    {
      name: "r.check",
      description: "Check the package",
      detect: (folder) =>
        folder.has("DESCRIPTION") && folder.has("NAMESPACE")
          ? "DESCRIPTION and NAMESPACE are here"
          : undefined,
      argv: () => ["R", "CMD", "check", "--no-manual", "."],
    },
  ],
});

const CHECK =
  /^\* checking (.{1,300}?) \.{3} ?(?:\[[\d.smh/]{1,30}\] ?)?(OK|ERROR|WARNING|NOTE|NONE|SKIPPED|INFO)?$/;
/** Matches a step's result on a line of its own, which follows if the step printed something. */
const RESULT = /^ (?:\[[\d.smh/]{1,30}\] ?)?(OK|ERROR|WARNING|NOTE)$/;
/** Matches `Error in f("a") : message`; after a long call the message is on the next line. */
const ERROR = /^ {0,2}Error in (?:`.{1,300}`|[\w.:$@[\]"]{1,200}\(.{0,300}\)) ?:(?: (.*))?$/;
const WARNINGS = /^(?:In addition: )?Warning messages?: ?$/;
const WARNING = /^(?:\d{1,4}: )?(?:In .{1,300}? : ?)?(.+)$/;
const DERIVED = /^ {0,2}(?:Execution halted|Calls: .*)$|^Status: (?:OK|\d+ (?:ERROR|WARNING|NOTE).*)$/;
/** Matches the line before the output of tests, which the parser of their test framework reads. */
const TESTS = /^Running the tests in .* failed\.$/;
const SEVERITIES: Readonly<Record<string, Severity>> = { ERROR: "error", WARNING: "warning", NOTE: "info" };
const MAX_LINES = 60;

/** Reads R's errors and warnings, and the steps of `R CMD check` that found something. */
class RParser implements LineParser {
  readonly #drafts;
  #step: string | undefined;
  #part: "none" | "step" | "error" | "warnings" = "none";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const check = text.startsWith("* ") ? CHECK.exec(text) : null;
    if (check !== null) return this.#check(check[1] ?? "", check[2]);
    if (text.startsWith("* ")) this.#close();
    const result = this.#step === undefined ? null : RESULT.exec(text);
    if (result !== null) return this.#check(this.#step ?? "", result[1]);
    const error = text.includes("Error in ") ? ERROR.exec(text) : null;
    // An error inside a step of `R CMD check` is part of what that step shows, so it is not reported separately.
    if (error !== null && this.#part !== "step") {
      this.#drafts.open({ severity: "error" }, ...(error[1] === undefined ? [] : [error[1]]));
      this.#part = error[1] === undefined ? "error" : "none";
      return true;
    }
    if (WARNINGS.test(text)) {
      this.#close();
      this.#part = "warnings";
      return true;
    }
    return this.#continues(text) || DERIVED.test(text);
  }

  end(): void {
    this.#close();
  }

  #check(step: string, result: string | undefined): boolean {
    this.#close();
    const severity = SEVERITIES[result ?? ""];
    if (result === undefined) this.#step = step;
    if (severity === undefined) return true;
    this.#drafts.open({ severity }, `checking ${step}`);
    this.#part = "step";
    return true;
  }

  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (this.#part === "warnings") return this.#readWarning(text);
    if (draft === undefined || this.#part === "none" || draft.message.length > MAX_LINES) return false;
    if (this.#part === "error") {
      this.#part = "none";
      if (!/^\s+\S/.test(text)) return false;
      draft.message.push(text.trim());
      return true;
    }
    if (TESTS.test(text)) {
      draft.message.push(text);
      this.#close();
      return true;
    }
    if (text.startsWith("Status: ")) {
      this.#close();
      return true;
    }
    draft.message.push(text);
    return true;
  }

  #readWarning(text: string): boolean {
    const message = /^ {2}\S/.test(text) ? text.trim() : WARNING.exec(text)?.[1]?.trim();
    const isNumbered = /^\d{1,4}: /.test(text);
    const draft = this.#drafts.current;
    if (draft !== undefined && /^ {2}\S/.test(text)) {
      draft.message.push(text.trim());
      return true;
    }
    if (message === undefined || (draft !== undefined && !isNumbered)) {
      this.#close();
      return false;
    }
    this.#drafts.open({ severity: "warning" }, message);
    return true;
  }

  #close(): void {
    this.#drafts.close();
    this.#step = undefined;
    this.#part = "none";
  }
}
