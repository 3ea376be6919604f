import { leadingPlace } from "../../parsing/place.ts";
import type { Found, Line, Sink } from "../../tool.ts";
import { RubocopParser } from "../rubocop/parse.ts";
import { unquote } from "./yaml.ts";

/** A new complaint: ESLint has the first at the margin and the others in a list, Stylelint all of them in lists named by their rule. */
const MESSAGE = /^ *(- )?message: (.*)$/;
const FIELD = /^ *(severity|line|column|endLine|endColumn|ruleId): (.+)$/;
const RULE = /^ {2}([@a-z][\w@/-]{1,100}):$/;

interface Complaint {
  readonly rule: string | undefined;
  readonly fields: Map<string, string>;
  /** The message runs over lines: it is folded, or its quotation mark is not closed. */
  open: boolean;
}

/**
 * Reads what linters write as TAP: a point for each file, the complaints in its YAML (ESLint, textlint, Stylelint) or as comments below it
 * (RuboCop). These are diagnostics; no test has failed.
 */
export class ComplaintReader {
  readonly #sink: Sink;
  readonly #rubocop: RubocopParser;
  #file = "";
  #rule: string | undefined;
  #current: Complaint | undefined;
  #told = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#rubocop = new RubocopParser({ ...sink, diagnostic: (found) => this.#tell(found, "rubocop") });
  }

  /** A point begins: what is read from here on is of the file that it names. */
  start(file: string): void {
    this.#file = file;
    this.#rule = undefined;
    this.#current = undefined;
    this.#told = 0;
  }

  /** One line of the point's YAML. */
  takeYaml(text: string): void {
    const message = MESSAGE.exec(text);
    if (message !== null) {
      this.#close();
      const value = message[2] ?? "";
      const open = /^[>|]/.test(value) || /^(["'])(?!.*\1$)/.test(value);
      const said = /^[>|]/.test(value) ? "" : value;
      this.#current = { rule: this.#rule, fields: new Map([["message", said]]), open };
      return;
    }
    const field = FIELD.exec(text);
    if (field !== null && this.#current !== undefined) {
      this.#current.open = false;
      this.#current.fields.set(field[1] ?? "", unquote(field[2] ?? ""));
    } else if (this.#current?.open === true) {
      const said = this.#current.fields.get("message") ?? "";
      this.#current.fields.set("message", `${said} ${text.trim()}`.trim());
    } else {
      const rule = RULE.exec(text)?.[1];
      // What ESLint has on these lines goes on.
      if (rule === undefined || rule === "data" || rule === "messages") return;
      this.#close();
      this.#rule = rule;
    }
  }

  /** Whether a comment below the point is a complaint, or belongs to one. */
  takeComment(line: Line): boolean {
    if (!line.text.startsWith("# ")) return false;
    const text = line.text.slice(2);
    if (this.#told === 0 && leadingPlace(text)?.place.file !== this.#file) return false;
    this.#rubocop.take({ ...line, text });
    // The first is held until its source was read.
    this.#told = Math.max(this.#told, 1);
    return true;
  }

  /** The point is over: whether it was a linter's. */
  end(): boolean {
    this.#rubocop.end();
    this.#close();
    return this.#told > 0;
  }

  #close(): void {
    const current = this.#current;
    this.#current = undefined;
    if (current === undefined) return;
    const { fields } = current;
    const severity = fields.get("severity");
    const line = Number(fields.get("line"));
    // Test runners have a message as well, and other words for how severe it is.
    if ((severity !== "error" && severity !== "warning") || !Number.isInteger(line)) return;
    const code = fields.get("ruleId") ?? current.rule;
    const rule = code === "" || code === "null" ? undefined : code;
    const said = unquote(fields.get("message") ?? "");
    const message =
      rule !== undefined && said.endsWith(` (${rule})`) ? said.slice(0, -rule.length - 3) : said;
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
    this.#tell(rule === undefined ? found : { ...found, code: rule }, tool);
  }

  #tell(found: Found, tool: string): void {
    this.#told++;
    this.#sink.diagnostic({ ...found, tool });
  }
}
