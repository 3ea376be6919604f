import type { Severity } from "../../../model/diagnostic.ts";
import { isFrame } from "../../javascript/frames.ts";
import type { Sink } from "../../tool.ts";

const LINE = /^➤ (?:YN(\d{4}): )?(?:[│┌└·] ?)?(.*)$/;
const OWN_ERROR = /^(?:(?:Usage|Internal|Unknown Syntax) Error: |The command failed in workspace ).*$/;
/** What Yarn offers instead. */
const OFFER = /^(?: {2}- |\$ yarn |$)/;
/** A line of what a package's build prints; that it failed is said below, of the same package. */
const PRINTED = /^(\S{1,500}) STD(?:OUT|ERR) (.*)$/;
const FAILED_BUILD = /^(\S{1,500}) couldn't be built successfully /;
/** Of what a build printed the end is kept, of so many builds. */
const MAX_PRINTED = 20;
const MAX_BUILDS = 200;
/** Codes that only tell what happens, and codes of warnings; Yarn prints the difference as a colour alone. */
const TELLS = new Set(
  [
    "0000",
    "0003",
    "0007",
    "0008",
    "0013",
    "0019",
    "0053",
    "0062",
    "0065",
    "0073",
    "0076",
    "0084",
    "0085",
    "0087",
  ].concat(["0088", "0089", "0090"]),
);
const WARNS = new Set(
  [
    "0002",
    "0004",
    "0005",
    "0006",
    "0022",
    "0025",
    "0031",
    "0032",
    "0034",
    "0050",
    "0055",
    "0057",
    "0060",
    "0061",
  ].concat(["0066", "0068", "0069", "0070", "0071", "0072", "0075", "0077", "0086", "0091", "0092"]),
);
/** The difference of a lockfile that may not be changed. */
const DIFF = /^(?:[+-]|@@)/;

interface Pending {
  readonly code: string;
  readonly severity: Severity;
  readonly lines: string[];
  readonly printed: readonly string[];
}

/** Reads the coded lines of Yarn 2 and later; the lines of one error are one diagnostic. */
export class BerryReader {
  readonly #sink: Sink;
  #pending: Pending | undefined;
  readonly #printed = new Map<string, string[]>();
  /** An error of Yarn's own that lists what could have been meant. */
  #offer: string[] | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const [whole, number, said = ""] = text.startsWith("➤") ? (LINE.exec(text) ?? []) : [];
    if (whole === undefined) {
      if (this.#pending !== undefined && isFrame(text)) return true;
      if (this.#offer !== undefined && OFFER.test(text)) {
        if (text !== "") this.#offer.push(text);
        return true;
      }
      this.end();
      return this.#own(text);
    }
    const code = number ?? "0000";
    if (code === "0000" && this.#prints(said)) return true;
    // Empty lines without a code stand inside a block.
    if (TELLS.has(code) && said.trim() === "") return true;
    if (TELLS.has(code)) this.end();
    else this.#coded(`YN${code}`, WARNS.has(code) ? "warning" : "error", said);
    return true;
  }

  end(): void {
    const offer = this.#offer;
    this.#offer = undefined;
    if (offer !== undefined) this.#sink.diagnostic({ severity: "error", message: offer.join("\n") });
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const said = pending.lines.filter((line) => !DIFF.test(line));
    this.#sink.diagnostic({
      severity: pending.severity,
      code: pending.code,
      message: [...(said.length > 0 ? said : pending.lines), ...pending.printed].join("\n").trim(),
    });
  }

  #own(text: string): boolean {
    if (!OWN_ERROR.test(text)) return false;
    if (text.endsWith(":")) this.#offer = [text];
    else this.#sink.diagnostic({ severity: "error", message: text });
    return true;
  }

  #prints(said: string): boolean {
    const [, name, line = ""] = PRINTED.exec(said) ?? [];
    if (name === undefined || (this.#printed.size >= MAX_BUILDS && !this.#printed.has(name))) return false;
    const lines = this.#printed.get(name) ?? [];
    lines.push(line);
    if (lines.length > MAX_PRINTED) lines.shift();
    this.#printed.set(name, lines);
    return true;
  }

  #coded(code: string, severity: Severity, said: string): void {
    const open = this.#pending;
    const more = open?.code === code && (said.startsWith(" ") || DIFF.test(said) || onlyDiff(open.lines));
    if (open !== undefined && more) {
      open.lines.push(said);
      return;
    }
    this.end();
    const build = FAILED_BUILD.exec(said)?.[1] ?? "";
    this.#pending = { code, severity, lines: [said], printed: this.#printed.get(build) ?? [] };
  }
}

function onlyDiff(lines: readonly string[]): boolean {
  return lines.every((line) => DIFF.test(line));
}
