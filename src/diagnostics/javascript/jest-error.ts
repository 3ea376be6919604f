import type { Place } from "../../model/diagnostic.ts";
import { diffSides, trimBlank } from "./diff.ts";
import type { Sides } from "./diff.ts";
import { isFrame, projectPlace } from "./frames.ts";
import { colonPlace, leadingPlace } from "../parsing/place.ts";

/** An error that Jest prints below a line with `●`, without its indentation. */
export interface JestError {
  readonly message: string;
  readonly place: Place | undefined;
  readonly sides: Sides | undefined;
}

const CODE = /^ *(?:> *)?\d+ \| ?|^ +\| [ ^]*$/;
const EXPECTED = /^(?:Expected(?: [a-z]+)?|Snapshot): +(.*)$/;
const RECEIVED = /^Received(?: [a-z]+)?: +(.*)$/;
const DIFF_HEAD = /^- (?:Expected|Snapshot)\b/;
const DIFF_HEAD_2 = /^\+ (?:Received|Expected)\b/;
/** Matches Babel's errors, which count columns from 0. */
const BABEL = /^(?:\w*Error: )?(\S.*?): (.*) \((\d{1,9}):(\d{1,9})\)$/;
const TS_JEST = /^(.+:\d+:\d+) - (?:error|warning) /;

/** Reads the message, location and compared values of one error that Jest printed. */
export function readJestError(lines: readonly string[]): JestError {
  const { said, below } = split(lines);
  const details = said.indexOf("Details:");
  const message = trimBlank(details < 0 ? said : said.slice(details + 1));
  const named = details < 0 ? undefined : parsedPlace(message);
  const { text, sides } = takeSides(message.slice(named?.skip ?? 0));
  return {
    message: withCause(text, below),
    place: named?.place ?? placeIn(message) ?? projectPlace(below),
    sides,
  };
}

/** Splits an error into its message and the code frame or stack that follows. */
function split(lines: readonly string[]): { said: readonly string[]; below: readonly string[] } {
  const end = lines.findIndex((line) => CODE.test(line) || isFrame(line));
  return end < 0 ? { said: lines, below: [] } : { said: lines.slice(0, end), below: lines.slice(end) };
}

/** Reads the location of a syntax error: `file:1` on a line of its own (Node), or `file: why (1:2)` (Babel). */
function parsedPlace(message: readonly string[]): { place: Place; skip: number } | undefined {
  const first = message[0] ?? "";
  const alone = colonPlace(first);
  if (alone !== undefined) {
    const error = message.findIndex((line) => /^\w*Error: /.test(line));
    return { place: alone, skip: Math.max(error, 0) };
  }
  const babel = first.length < 4_000 ? BABEL.exec(first) : null;
  const [, file, , line, column] = babel ?? [];
  if (file === undefined) return undefined;
  return { place: { file, line: Number(line), column: Number(column) + 1 }, skip: 0 };
}

/** Reads the location at the start of a compiler's message, as ts-jest and the transforms of esbuild and swc print it. */
function placeIn(message: readonly string[]): Place | undefined {
  for (const line of message.slice(0, 3)) {
    const compiler = line.length < 4_000 ? TS_JEST.exec(line)?.[1] : undefined;
    if (compiler !== undefined) return colonPlace(compiler);
    const transform = leadingPlace(line);
    if (transform !== undefined && transform.rest.startsWith("ERROR: ")) return transform.place;
  }
  return undefined;
}

/** Separates the compared values from the message. */
function takeSides(message: readonly string[]): { text: readonly string[]; sides: Sides | undefined } {
  const head = message.findIndex((line) => DIFF_HEAD.test(line));
  if (head >= 0 && DIFF_HEAD_2.test(message[head + 1] ?? "")) {
    const sides = diffSides(message.slice(head + 2), { expected: "-", received: "+" });
    if (sides !== undefined) return { text: trimBlank(message.slice(0, head)), sides };
  }
  const expected = message.findIndex((line) => EXPECTED.test(line));
  const received = message.findIndex((line) => RECEIVED.test(line));
  if (expected < 0 || received < 0) return { text: message, sides: undefined };
  const rest = message.filter((_, index) => index !== expected && index !== received);
  const text = rest.filter((line, index) => line !== "" || rest[index - 1] !== "");
  return {
    text: trimBlank(text),
    sides: {
      expected: EXPECTED.exec(message[expected] ?? "")?.[1] ?? "",
      received: RECEIVED.exec(message[received] ?? "")?.[1] ?? "",
    },
  };
}

function withCause(message: readonly string[], below: readonly string[]): string {
  const text = message.join("\n");
  const at = below.indexOf("Cause:");
  if (at < 0) return text;
  const cause = trimBlank(split(below.slice(at + 1)).said)
    .map((line) => line.replace(/^ {4}/, ""))
    .join("\n");
  // If a test threw something other than an error, its cause is the same text and is not repeated.
  return cause === "" || cause === text ? text : `${text}\nCause: ${cause}`;
}
