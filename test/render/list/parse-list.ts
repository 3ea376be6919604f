import type { Diagnostic } from "../../../src/model/diagnostic.ts";

/** A diagnostic as a reader knows it from the list. */
export interface Read {
  /** The severity, the tool if there are several, the rule and the message. */
  readonly head: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** The text that a list must contain for a diagnostic, without its own place in the message. */
export function asRead(one: Diagnostic, namesTools: boolean): Read {
  const words = [one.severity, ...(namesTools ? ["from", one.tool] : []), ...(one.code ? [one.code] : [])];
  const message = one.message.replace(`${one.file}:${one.line}: `, "");
  return { head: `${words.join(" ")}: ${message}`, file: one.file, line: one.line };
}

const SEVERITY = "(?:error|warning|info)(?: |:)";
const HEAD = new RegExp(`^${SEVERITY}`);
/** Matches line numbers with columns and repetitions: `3,7:2,7:9,12 (2 times)`. */
const NUMBER = String.raw`\d+(?::\d+)?(?: \(\d+ times\))?`;
const NUMBERS = `${NUMBER}(?:,${NUMBER})*`;
/** A name that contains something like a line number is in quotes. */
const FILE = String.raw`"(?:[^"\\]|\\.)*"|.*?`;

interface Node {
  readonly text: string;
  readonly below: Node[];
}

/** Parses a rendered list of messages with one line each. It knows nothing of the diagnostics. */
export function readList(text: string): Read[] {
  return treeOf(text === "" ? [] : text.split("\n")).flatMap(({ text: line, below }) => {
    if (HEAD.test(line))
      return below.length === 0
        ? places(line, undefined, "")
        : below.flatMap((one) => readPlace(line, one.text));
    return below.length === 0 ? readWhole(line) : below.flatMap((one) => readBelowFile(unquoted(line), one));
  });
}

/** Puts each line below the last one that is indented less. */
function treeOf(lines: readonly string[]): Node[] {
  const root: Node = { text: "", below: [] };
  const open = [root];
  for (const line of lines) {
    const depth = /^ */.exec(line)?.[0].length ?? 0;
    const node: Node = { text: line.slice(depth), below: [] };
    open.length = Math.min(open.length, depth + 1);
    open.at(-1)?.below.push(node);
    open.push(node);
  }
  return root.below;
}

/** Reads a whole diagnostic: `src/a.ts:3,7 error E1: bad`, or without numbers `src/a.ts: error E1: bad`. */
function readWhole(line: string): Read[] {
  const pattern = new RegExp(`^(${FILE}):(${NUMBERS})? (${SEVERITY}.*)$`);
  const [, file = "", numbers = "", head = ""] = pattern.exec(line) ?? [];
  return places(head, unquoted(file), numbers);
}

/** Reads a place below a message. */
function readPlace(head: string, place: string): Read[] {
  const [, lines] = new RegExp(`^line (${NUMBERS})$`).exec(place) ?? [];
  if (place === "no file" || lines !== undefined) return places(head, undefined, lines ?? "");
  const [, file = withoutTimes(place), numbers = ""] =
    new RegExp(`^(${FILE}):(${NUMBERS})$`).exec(place) ?? [];
  return places(head, unquoted(file), numbers);
}

/** Reads a message below a file, with its lines before or below it. */
function readBelowFile(file: string, { text, below }: Node): Read[] {
  const [, numbers = "", head = ""] = new RegExp(`^(?:(${NUMBERS}) )?(${SEVERITY}.*)$`).exec(text) ?? [];
  if (below.length === 0) return places(head, file, numbers);
  return below.flatMap((one) => places(head, file, one.text.startsWith("whole file") ? "" : one.text));
}

function places(head: string, file: string | undefined, numbers: string): Read[] {
  if (numbers === "") return [{ head: withoutTimes(head), file, line: undefined }];
  return numbers.split(",").map((number) => ({ head, file, line: Number.parseInt(number, 10) }));
}

/** Removes the count of repetitions after a message or a file without line numbers. */
function withoutTimes(text: string): string {
  return text.replace(/ \(\d+ times\)$/, "");
}

function unquoted(name: string): string {
  return name.startsWith('"') ? String(JSON.parse(name)) : name;
}
