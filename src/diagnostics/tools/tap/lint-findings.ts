import { leadingPlace } from "../../parsing/place.ts";
import type { Found, Line, Sink } from "../../tool.ts";
import { RubocopParser } from "../rubocop/parse.ts";
import { unquote } from "./yaml.ts";

/**
 * Matches the start of a diagnostic: ESLint prints the first unindented and the others in a list, Stylelint all of them in lists named after their
 * rule.
 */
const MESSAGE = /^ *(- )?message: (.*)$/;
const FIELD = /^ *(severity|line|column|endLine|endColumn|ruleId): (.+)$/;
const RULE = /^ {2}([@a-z][\w@/-]{1,100}):$/;

interface Complaint {
  readonly rule: string | undefined;
  readonly fields: Map<string, string>;
  /** True if the message spans several lines, because it is folded or its quote is not closed. */
  open: boolean;
}

/**
 * Reads linters' findings in TAP: one test point per file, with diagnostics in its YAML (ESLint, textlint, Stylelint) or as comments below it
 * (RuboCop). They are reported as diagnostics, not as failed tests.
 */
export class LintFindingReader {
  readonly #sink: Sink;
  readonly #rubocop: RubocopParser;
  #file = "";
  #rule: string | undefined;
  #current: Complaint | undefined;
  #found = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#rubocop = new RubocopParser({ ...sink, diagnostic: (found) => this.#report(found, "rubocop") });
  }

  /** Starts a test point; the following lines are about the file that it names. */
  start(file: string): void {
    this.#file = file;
    this.#rule = undefined;
    this.#current = undefined;
    this.#found = 0;
  }

  /** Reads one line of the test point's YAML. */
  takeYaml(text: string): void {
    const message = MESSAGE.exec(text);
    if (message !== null) {
      this.#close();
      const value = message[2] ?? "";
      const open = /^[>|]/.test(value) || /^(["'])(?!.*\1$)/.test(value);
      const content = /^[>|]/.test(value) ? "" : value;
      this.#current = { rule: this.#rule, fields: new Map([["message", content]]), open };
      return;
    }
    const field = FIELD.exec(text);
    if (field !== null && this.#current !== undefined) {
      this.#current.open = false;
      this.#current.fields.set(field[1] ?? "", unquote(field[2] ?? ""));
    } else if (this.#current?.open === true) {
      const content = this.#current.fields.get("message") ?? "";
      this.#current.fields.set("message", `${content} ${text.trim()}`.trim());
    } else {
      const rule = RULE.exec(text)?.[1];
      // The keys `data` and `messages`, which ESLint writes, continue the diagnostic that is being read.
      if (rule === undefined || rule === "data" || rule === "messages") return;
      this.#close();
      this.#rule = rule;
    }
  }

  /** Returns whether a comment below the test point belongs to a diagnostic. */
  takeComment(line: Line): boolean {
    if (!line.text.startsWith("# ")) return false;
    const text = line.text.slice(2);
    if (this.#found === 0 && leadingPlace(text)?.place.file !== this.#file) return false;
    this.#rubocop.take({ ...line, text });
    // At least one finding is counted, because the first one is held back until its source line has been read.
    this.#found = Math.max(this.#found, 1);
    return true;
  }

  /** Ends the test point and returns whether it was a linter's. */
  end(): boolean {
    this.#rubocop.end();
    this.#close();
    return this.#found > 0;
  }

  #close(): void {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    const { fields } = current;
    const severity = fields.get("severity");
    const line = Number(fields.get("line"));
    // The severity words distinguish linters from test runners, which write a message too, but with other severities.
    if ((severity !== "error" && severity !== "warning") || !Number.isInteger(line)) return;
    const code = fields.get("ruleId") ?? current.rule;
    const rule = code === "" || code === "null" ? undefined : code;
    const content = unquote(fields.get("message") ?? "");
    const message =
      rule !== undefined && content.endsWith(` (${rule})`) ? content.slice(0, -rule.length - 3) : content;
    const numbers = ["column", "endLine", "endColumn"]
      .map((name) => [name, Number(fields.get(name))] as const)
      .filter(([, value]) => Number.isInteger(value));
    const found = { severity, file: this.#file, line, ...Object.fromEntries(numbers), message } as const;
    const tool =
      current.rule === undefined
        ? /\.(?:md|txt|rst)$/.test(this.#file)
          ? "textlint"
          : "eslint"
        : "stylelint";
    this.#report(rule === undefined ? found : { ...found, code: rule }, tool);
  }

  #report(found: Found, tool: string): void {
    this.#found++;
    this.#sink.diagnostic({ ...found, tool });
  }
}
