import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const PLACE = /^File "(.{1,1000})", lines? (\d{1,9})(?:-(\d{1,9}))?(?:, characters (\d{1,9})-(\d{1,9}))?:$/;
const SOURCE = /^ {0,8}\d{1,7} \||^\s*\^+\s*$|^ *\.{3,}$/;
const MESSAGE =
  /^(Error|Alert|Warning)(?: (\d{1,3})| \((?:warning|alert) (\d{1,3})? ?(?:\[([\w-]+)\])?\))?(?: \[([\w-]+)\]| ([\w-]+))?: (.*)$/;
const HINT = /^Hint: (.*)$/;

/** Reads the OCaml compiler and dune. */
export class OcamlParser implements LineParser {
  readonly #drafts;
  #place: { file: string; line: number } | undefined;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const place = text.startsWith('File "') ? PLACE.exec(text) : null;
    if (place !== null) {
      this.#drafts.close();
      this.#place = readPlace(place);
      return true;
    }
    if (this.#place !== undefined && this.#drafts.current === undefined) {
      if (SOURCE.test(text)) return true;
      const message = MESSAGE.exec(text);
      if (message !== null) return this.#open(this.#place, message);
      this.#place = undefined;
      return false;
    }
    if (this.#goesOn(text)) return true;
    this.#drafts.close();
    this.#place = undefined;
    return false;
  }

  end(): void {
    this.#drafts.close();
  }

  #open(place: object, match: RegExpExecArray): true {
    const [, word, number, asError, asErrorName, name, alert, message = ""] = match;
    const code = asErrorName ?? name ?? alert ?? asError ?? number;
    const severity = word === "Error" ? "error" : "warning";
    this.#drafts.open({ severity, ...place, ...(code === undefined ? {} : { code }) }, message);
    return true;
  }

  #goesOn(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || !belongs(draft.message, text) || draft.message.length > 60) return false;
    const hint = HINT.exec(text)?.[1];
    if (hint !== undefined) draft.help.push(hint);
    else if (draft.help.length > 0) draft.help.push(text.trim());
    else draft.message.push(text);
    return true;
  }
}

/** Messages go on indented; only what follows an inexhaustive match stands at the margin. */
function belongs(message: readonly string[], text: string): boolean {
  return (
    /^(?:\s+\S|Hint: |Here is an example of a case)/.test(text) ||
    message.at(-1)?.endsWith("that is not matched:") === true
  );
}

function readPlace(match: RegExpExecArray): { file: string; line: number } {
  const [, file = "", line, endLine, from, to] = match;
  return {
    file,
    line: Number(line),
    // Characters count from 0.
    ...(from === undefined || (from === "0" && to === "0") ? {} : { column: Number(from) + 1 }),
    ...(endLine === undefined ? {} : { endLine: Number(endLine) }),
    ...(endLine === undefined && to !== undefined && Number(to) > Number(from)
      ? { endLine: Number(line), endColumn: Number(to) + 1 }
      : {}),
  };
}
