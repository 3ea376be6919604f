import type { Place } from "../../../model/diagnostic.ts";
import { diffSides, trimBlank } from "../../javascript/diff.ts";
import type { Sides } from "../../javascript/diff.ts";
import { frameAt } from "../../javascript/frames.ts";
import type { Frame } from "../../javascript/frames.ts";
import { colonPlace, leadingPlace } from "../../parsing/place.ts";

/** The error that Vitest prints below a `FAIL` header. */
export interface ErrorBlock {
  readonly message: string;
  readonly place: Place | undefined;
  readonly sides: Sides | undefined;
}

const POINTER = /^ ?❯ /;
const CODE = /^ {2,}\d* *\| ?|^\s*(?:\d+ )?[│╭╰├┆·┬]|^[─ ]*╯$/;
const DIFF_HEAD = /^- (?:Expected|Snapshot)\b/;
const LABEL = /^ {0,2}[-+]? ?(Expected|Received)(?: *: ?)(.*)$/;
const ORIGIN = /^This error originated in "([^"]+)" test file/;
const FILE_LINE = /^ {2}File: (.+)$/;
const BOXED = /[╭┌][─ ]*\[ ?(.+?) ?\]/;

/** Reads the message, location and compared values of one error that Vitest printed. `testFile` is the file in the header. */
export function readErrorBlock(lines: readonly string[], testFile: string | undefined): ErrorBlock {
  const message: string[] = [];
  const rest: string[] = [];
  let part: "message" | "diff" | "stack" = "message";
  const diff: string[] = [];
  for (const line of lines) {
    if (line.startsWith("Caused by: ")) {
      message.push(line);
      part = "stack";
    } else if (POINTER.test(line) || ORIGIN.test(line) || /^ {2}(?:Plugin|File): /.test(line)) part = "stack";
    else if (part !== "stack" && (DIFF_HEAD.test(line) || isLabelled(line, "Expected"))) part = "diff";
    else if (part === "message" && CODE.test(line)) {
      rest.push(line);
      continue;
    }
    if (part === "message") message.push(line);
    else if (part === "diff") diff.push(line);
    else rest.push(line);
  }
  const sides = readSides(diff);
  const said = sides === undefined ? [...message, ...diff] : message;
  const place = placeOf(rest, testFile);
  return {
    message: trimBlank(said).join("\n"),
    place: place?.line === undefined ? (transformPlace(message) ?? place) : place,
    sides,
  };
}

function isLabelled(line: string, label: string): boolean {
  return line.length < 20_000 && LABEL.exec(line)?.[1] === label;
}

/** Reads `- Expected`/`+ Received` above a diff, or both values after their labels, on the same line or below. */
function readSides(diff: readonly string[]): Sides | undefined {
  const first = diff[0];
  if (first === undefined) return undefined;
  if (!isLabelled(first, "Expected"))
    return diffSides(diff.slice(diff[1]?.startsWith("+ ") === true ? 2 : 1), {
      expected: "-",
      received: "+",
    });
  const at = diff.findIndex((line) => isLabelled(line, "Received"));
  if (at < 0) return undefined;
  return { expected: valueOf(diff.slice(0, at)), received: valueOf(diff.slice(at)) };
}

function valueOf(lines: readonly string[]): string {
  const [head = "", ...rest] = lines;
  const inline = LABEL.exec(head)?.[2]?.trim() ?? "";
  return trimBlank([inline, ...rest]).join("\n");
}

/** Returns the first frame inside the project, otherwise the file that a transform names, otherwise the test file. */
function placeOf(lines: readonly string[], testFile: string | undefined): Place | undefined {
  for (const line of lines) {
    const frame = POINTER.test(line) ? readPointerFrame(line.replace(POINTER, ""), testFile) : undefined;
    if (frame !== undefined && !frame.isForeign) return frame.place;
  }
  for (const line of lines) {
    const named = FILE_LINE.exec(line)?.[1] ?? (line.length < 500 ? BOXED.exec(line)?.[1] : undefined);
    const place = named === undefined ? undefined : colonPlace(named);
    if (place !== undefined) return place;
  }
  const origin = lines.map((line) => ORIGIN.exec(line)?.[1]).find((file) => file !== undefined);
  const file = testFile ?? origin;
  return file === undefined ? undefined : { file };
}

/** Reads esbuild's own line in the message: `file:3:13: ERROR: …`. */
function transformPlace(message: readonly string[]): Place | undefined {
  for (const line of message.slice(0, 5)) {
    const found = leadingPlace(line);
    if (found?.rest.startsWith("ERROR: ") === true) return found.place;
  }
  return undefined;
}

/** Reads `file:1:2`, with or without a function's name before it; the test file's name may contain blanks. */
function readPointerFrame(text: string, testFile: string | undefined): Frame | undefined {
  if (testFile !== undefined && text.startsWith(`${testFile}:`)) return frameAt(text);
  const blank = text.indexOf(" ");
  const named = blank > 0 && !/[\\/]/.test(text.slice(0, blank));
  return frameAt(named ? text.slice(text.startsWith("async ") ? text.indexOf(" ", 6) + 1 : blank + 1) : text);
}
