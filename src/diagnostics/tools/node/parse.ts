import type { Place } from "../../../model/diagnostic.ts";
import { isFrame, plainPath } from "../../javascript/frames.ts";
import { readNodeError } from "../../javascript/node-error.ts";
import { colonPlace } from "../../parsing/place.ts";
import { probeSink } from "../../parsing/probe-sink.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";

const HEADER =
  /^(?:(?:file:\/\/\/?|node:|internal\/|\/|[A-Za-z]:[\\/])\S.*|\[(?:eval\d{0,4}|stdin)\]):\d{1,9}$/;
/** Matches the name that Node prints for code from the command line or standard input, which is in no file. */
const NO_FILE = /^\[(?:eval\d*|stdin)\]/;
const CARET = /^\s*\^+\s*$/;
const TRAILER = /^Node\.js v\d/;
const IN_BRACKETS = /^\w*(?:Error|Rejection) \[([A-Z][A-Z0-9_]+)\]: /;
const IMPORTED_FROM = / imported from (\S.*)$/m;
const OUT_OF_MEMORY = /^FATAL ERROR: (.*heap out of memory.*|.*Allocation failed.*)$/;
const MAX_LINES = 200;

interface Crash {
  readonly header: Place;
  readonly lines: string[];
}

/** Reads what Node prints when an uncaught error ends the process, and reports one diagnostic in the project's own code. */
export function nodeParser(sink: Sink): LineParser {
  /** The latest lines, which may introduce an error: the location, the source line, and possibly the caret. */
  let before: string[] = [];
  let crash: Crash | undefined;

  function close(): void {
    if (crash === undefined) return;
    const { header, lines } = crash;
    crash = undefined;
    const error = readNodeError(lines);
    if (error.message === "") return;
    const code = error.code ?? IN_BRACKETS.exec(error.message)?.[1];
    const place = placeOf(header, error.place, error.message);
    sink.diagnostic({
      severity: "error",
      message: error.message,
      ...(place === undefined || NO_FILE.test(place.file) ? {} : place),
      ...(code === undefined ? {} : { code }),
    });
  }

  function start(text: string): boolean {
    const header = CARET.test(text) ? before.find((line) => HEADER.test(line)) : undefined;
    const place = header === undefined ? undefined : colonPlace(header);
    before = [...before, text].slice(-2);
    if (place === undefined) return false;
    before = [];
    crash = { header: { ...place, file: plainPath(place.file), column: text.indexOf("^") + 1 }, lines: [] };
    return true;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      if (crash !== undefined && addLine(crash.lines, text)) {
        if (TRAILER.test(text)) close();
        else crash.lines.push(text);
        return true;
      }
      close();
      const memory = OUT_OF_MEMORY.exec(text)?.[1];
      if (memory !== undefined) sink.diagnostic({ severity: "error", message: memory });
      return memory !== undefined || start(text) || TRAILER.test(text);
    },
    end: close,
  };
}

/** Finds the crash of a Node process in lines that another tool passes on, such as the output of a test file. */
export function nodeCrash(lines: readonly string[]): Found | undefined {
  let found: Found | undefined;
  const parser = nodeParser(probeSink((one) => (found ??= one)));
  for (const [index, text] of lines.entries()) parser.take({ text, number: index + 1, stream: "stderr" });
  parser.end();
  return found;
}

/** Returns whether the error continues. It ends with a line about Node's version, before version 17 with the stack. */
function addLine(lines: readonly string[], text: string): boolean {
  if (lines.length > MAX_LINES) return false;
  if (TRAILER.test(text) || text.trim() === "" || /^[\s}]/.test(text)) return true;
  const stack = lines.some((line) => isFrame(line));
  return !stack || lines.at(-1)?.trim() !== "";
}

/** Picks the location: that of the header for a syntax error, otherwise the first frame of the stack inside the project. */
function placeOf(header: Place, stack: Place | undefined, message: string): Place | undefined {
  const own = !/^(?:node:|internal\/)|[\\/]node_modules[\\/]/.test(header.file);
  if (own && message.startsWith("SyntaxError")) return header;
  const importer = IMPORTED_FROM.exec(message)?.[1];
  return stack ?? (own ? header : importer === undefined ? undefined : { file: plainPath(importer) });
}
