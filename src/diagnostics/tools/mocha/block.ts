import type { Place } from "../../../model/diagnostic.ts";
import { diffSides, trimBlank } from "../../javascript/diff.ts";
import type { Sides } from "../../javascript/diff.ts";
import { isFrame, projectPlace } from "../../javascript/frames.ts";

export interface MochaFailure {
  /** Suites and test, outermost first. */
  readonly titles: readonly string[];
  readonly message: string;
  readonly place: Place | undefined;
  readonly sides: Sides | undefined;
}

const DIFF_HEAD = /^ {6}\+ expected - actual$/;
/** A test that never ended names its file at the end of the message. */
const TIMED_OUT = /^Error: Timeout of \d+ms exceeded\..* \((.+)\)$/;

/** The titles below the first are indented deeper than any error's first line. */
const NESTED = /^ {7,}\S/;

/** Reads one numbered failure: the titles, the error, a difference, the stack. */
export function readMochaFailure(lines: readonly string[]): MochaFailure {
  const body = lines.slice(1);
  const titles = [lines[0] ?? ""];
  while (NESTED.test(body[0] ?? "")) titles.push(body.shift()?.trim() ?? "");
  const stack = body.findIndex((line) => isFrame(line));
  const said = stack < 0 ? body : body.slice(0, stack);
  const head = said.findIndex((line) => DIFF_HEAD.test(line));
  const diff = head < 0 ? [] : said.slice(head + 1).map((line) => line.slice(6));
  const message = trimBlank((head < 0 ? said : said.slice(0, head)).map((line) => line.trimEnd()))
    .map((line, index) => (index === 0 ? line.trimStart() : line))
    .join("\n");
  const timedOut = TIMED_OUT.exec(message)?.[1];
  return {
    titles: titles.map((title, index) => (index === titles.length - 1 ? title.replace(/:$/, "") : title)),
    message,
    place: projectPlace(body) ?? (timedOut === undefined ? undefined : { file: timedOut }),
    sides: mochaSides(diff),
  };
}

function mochaSides(diff: readonly string[]): Sides | undefined {
  return diff.length === 0 ? undefined : diffSides(diff.map(widen), { expected: "+", received: "-" });
}

/** Mocha puts no blank between the mark and the text. */
function widen(line: string): string {
  return line === "" ? line : `${line[0] ?? ""} ${line.slice(1)}`;
}
