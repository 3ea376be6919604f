import type { Severity } from "../../../model/diagnostic.ts";
import { isFrame } from "../../javascript/frames.ts";
import type { Sink } from "../../tool.ts";

const LINE = /^➤ (?:YN(\d{4}): )?(?:[│┌└·] ?)?(.*)$/;
const OWN_ERROR = /^((?:Usage|Internal) Error): (.*)$/;
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
}

/** Reads the coded lines of Yarn 2 and later; the lines of one error are one diagnostic. */
export class BerryReader {
  readonly #sink: Sink;
  #pending: Pending | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const [whole, number, said = ""] = text.startsWith("➤") ? (LINE.exec(text) ?? []) : [];
    if (whole === undefined) {
      if (this.#pending !== undefined && isFrame(text)) return true;
      this.end();
      const [, kind, message = ""] = OWN_ERROR.exec(text) ?? [];
      if (kind !== undefined) this.#sink.diagnostic({ severity: "error", message: `${kind}: ${message}` });
      return kind !== undefined;
    }
    const code = number ?? "0000";
    // Empty lines without a code stand inside a block.
    if (TELLS.has(code) && said.trim() === "") return true;
    if (TELLS.has(code)) this.end();
    else this.#coded(`YN${code}`, WARNS.has(code) ? "warning" : "error", said);
    return true;
  }

  end(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const said = pending.lines.filter((line) => !DIFF.test(line));
    this.#sink.diagnostic({
      severity: pending.severity,
      code: pending.code,
      message: (said.length > 0 ? said : pending.lines).join("\n").trim(),
    });
  }

  #coded(code: string, severity: Severity, said: string): void {
    const open = this.#pending;
    const more = open?.code === code && (said.startsWith(" ") || DIFF.test(said) || onlyDiff(open.lines));
    if (open !== undefined && more) {
      open.lines.push(said);
      return;
    }
    this.end();
    this.#pending = { code, severity, lines: [said] };
  }
}

function onlyDiff(lines: readonly string[]): boolean {
  return lines.every((line) => DIFF.test(line));
}
