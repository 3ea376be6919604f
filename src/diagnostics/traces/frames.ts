import type { Place } from "../../model/diagnostic.ts";
import { isOwnGoFile } from "./go-frames.ts";
import { colonPlace } from "../parsing/place.ts";

/** One line of a stack trace. */
export interface Frame {
  readonly place: Place;
  /** True if the frame is in the project's own code rather than in a library, a test runner or the platform. */
  readonly isOwn: boolean;
}

const FOREIGN =
  /node_modules[\\/]|[\\/]\.yarn[\\/]|[\\/]\.pnp\.(?:c?js|loader\.mjs)$|^node:|^internal[\\/]|^<|[\\/]site-packages[\\/]|[\\/]dist-packages[\\/]|[\\/]lib[\\/]python\d|^[\\/]rustc[\\/]|[\\/]\.cargo[\\/]|[\\/]rustlib[\\/]|[\\/]gems[\\/]|[\\/]lib[\\/]ruby[\\/]|[\\/]vendor[\\/]/;
const FOREIGN_JAVA =
  /^(?:java|javax|jakarta|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|org\.(?:junit|hamcrest|assertj|mockito|opentest4j|apache\.maven|gradle|testng|codehaus\.groovy|spockframework|springframework)|junit|worker\.org\.gradle)\b/;

const PYTHON = /^File "([^"]{1,500})", line (\d{1,7})(?:, in .*)?$/;
const PYTEST = /^([^\s:][^:]{0,300}\.py):(\d{1,7}): ?(?:in .*|[A-Z]\w*)?$/;
const JAVA = /^at (?:[\w.@-]{1,200}\/{1,2}){0,2}([\w.$<>]{1,400})\(([\w$-]{1,200}\.\w{1,10}):(\d{1,7})\)/;
const GO = /^(\S{1,500}\.(?:go|s)):(\d{1,7})(?: \+0x[0-9a-f]+)?$/;
const RUST = /^at (\S{1,500}\.rs):(\d{1,7})(?::(\d{1,7}))?$/;
const RUBY = /^(?:from |# )?(\S{1,500}\.(?:rb|erb|rake|ru)):(\d{1,7})(?::in .*)?$/;
const PHP = /^#\d{1,4} (\S{1,500}\.\w{1,6})\((\d{1,7})\): /;
const PHP_PLAIN = /^(\S{1,500}\.php):(\d{1,7})$/;
const CSHARP = /^at .{1,500} in (.{1,400}):line (\d{1,7})$/;

/** Reads a stack trace line of JavaScript, Python, Java, Go, Rust, Ruby, PHP or C#. */
export function readFrame(text: string): Frame | undefined {
  const line = text.trim();
  if (line.length > 1_000 || line === "") return undefined;
  const java = JAVA.exec(line);
  if (java !== null)
    return {
      place: { file: java[2] ?? "", line: Number(java[3]) },
      isOwn: !FOREIGN_JAVA.test(java[1] ?? ""),
    };
  for (const shape of [CSHARP, RUST, PYTHON, GO, RUBY, PHP, PHP_PLAIN, PYTEST]) {
    const match = shape.exec(line);
    if (match !== null) return frameAt(match[1] ?? "", match[2], match[3]);
  }
  const place = readScriptPlace(line);
  return place === undefined ? undefined : frameAt(place.file, place.line, place.column);
}

/** Reads the location in a JavaScript frame: `at fn (file:1:2)`, `at file:1:2`, and vitest's `❯ fn file:1:2`. */
function readScriptPlace(line: string): Place | undefined {
  if (line.startsWith("❯ ")) return colonPlace(line.slice(line.lastIndexOf(" ") + 1));
  if (!line.startsWith("at ")) return undefined;
  const rest = line.slice(3);
  const open = rest.endsWith(")") ? rest.lastIndexOf("(") : -1;
  const place = colonPlace(open >= 0 ? rest.slice(open + 1, -1) : rest.replace(/^async /, ""));
  return place !== undefined && (open >= 0 || !place.file.includes(" ")) ? place : undefined;
}

/** Matches file names in stack frames that are not files on disk, such as `node:` modules. */
const NO_FILE = /^(?:node:|internal[\\/]|<)/;

/** Returns the first frame of a text inside the project, otherwise the first frame that names a file on disk. */
export function firstOwnFrame(text: string): Place | undefined {
  let first: Place | undefined;
  for (const line of text.split("\n")) {
    const frame = readFrame(line);
    if (frame?.isOwn === true) return frame.place;
    if (frame !== undefined && !NO_FILE.test(frame.place.file)) first ??= frame.place;
  }
  return first;
}

/** Returns the path of a `file://` URL; any other text is returned unchanged. */
export function pathOfUrl(text: string): string {
  if (!text.startsWith("file:")) return text;
  const path = text.replace(/^file:(?:\/\/(?:localhost)?)?/, "");
  try {
    const decoded = decodeURIComponent(path);
    return /^\/[A-Za-z]:/.test(decoded) ? decoded.slice(1) : decoded;
  } catch {
    return path; // The path contains a literal percent sign, so it is used as it is.
  }
}

function frameAt(file: string, line: unknown, column?: unknown): Frame {
  const path = pathOfUrl(file);
  return {
    place: {
      file: path,
      line: Number(line),
      ...(column === undefined ? {} : { column: Number(column) }),
    },
    isOwn: !FOREIGN.test(path) && (!/\.(?:go|s)$/.test(path) || isOwnGoFile(path)),
  };
}
