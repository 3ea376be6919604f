import type { Severity } from "../../../model/diagnostic.ts";
import { leadingPlace } from "../../parsing/place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

/** `syntax-check[specific]: text`, on the next line `play.yml:5:16`. */
const RULE = /^([a-z][a-z-]{1,60}(?:\[[\w.,/ -]{1,100}\])?): (.*)$/;
/** Before version 5: `main.yml:1: [E201] Trailing whitespace`. */
const OLD_RULE = /^\[([EW](?:ANSIBLE)?\d{3,4})\] (.*)$/;
/** Version 5 has no colon after the rule. */
const SPACED_RULE = /^([a-z][a-z-]{1,60}(?:\[[\w.,/ -]{1,100}\])?) (\S.*)$/;
const PLACE =
  /^(\S.{0,1000}?\.(?:ya?ml|cfg|ini|j2|py|yml\.\w+)):(\d{1,9})(?::(\d{1,9}))?(?: (?:Task\/Handler: (.*)|.*))?$/;
const BANNER = /^(?:WARNING|ERROR) {2}Listing \d+ violation\(s\) that are fatal$/;
const TAG =
  /\[[\w.,/ -]+\]$|^(?:name|yaml|fqcn|syntax-check|jinja|risky-|no-|var-|package-|command-|key-|meta-|role-|schema|deprecated-|ignore-|latest|literal-|load-|parser-|partial-|internal-|args|galaxy|loop-|only-|playbook-|run-|sanity|avoid-|complexity|inline-)/;

/** Reads ansible-lint's full and pep8 formats. */
export class AnsibleLintParser implements LineParser {
  readonly #sink: Sink;
  #severity: Severity = "error";
  #rule: { code: string; message: string } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (BANNER.test(text)) return true;
    const rule = this.#rule;
    this.#rule = undefined;
    const place = rule === undefined ? null : PLACE.exec(text);
    if (rule !== undefined && place !== null) {
      const [, file = "", line, column] = place;
      const at = { file, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
      this.#sink.diagnostic({ severity: this.#severity, ...at, ...rule });
      return true;
    }
    return this.#oneLine(text) || this.#remember(text);
  }

  end(): void {
    this.#rule = undefined;
  }

  #oneLine(text: string): boolean {
    const placed = /\.ya?ml:\d/.test(text) ? leadingPlace(text) : undefined;
    const old = placed === undefined ? null : OLD_RULE.exec(placed.rest);
    if (placed !== undefined && old !== null) {
      this.#sink.diagnostic({
        severity: "error",
        ...placed.place,
        code: old[1] ?? "",
        message: old[2] ?? "",
      });
      return true;
    }
    const match = placed === undefined ? null : (RULE.exec(placed.rest) ?? SPACED_RULE.exec(placed.rest));
    if (placed === undefined || match === null || !TAG.test(match[1] ?? "")) return false;
    const told = match[2] ?? "";
    this.#sink.diagnostic({
      severity: told.endsWith("(warning)") ? "warning" : "error",
      ...placed.place,
      code: match[1] ?? "",
      message: told.replace(/ \(warning\)$/, ""),
    });
    return true;
  }

  /** A rule's line is only known by the place that follows; the line is left to others until then. */
  #remember(text: string): boolean {
    const match = RULE.exec(text);
    if (match === null || !TAG.test(match[1] ?? "")) return false;
    this.#rule = { code: match[1] ?? "", message: (match[2] ?? "").replace(/ \(warning\)$/, "") };
    this.#severity = match[2]?.endsWith("(warning)") === true ? "warning" : "error";
    return /\[[\w.,/ -]+\]$/.test(match[1] ?? "");
  }
}
