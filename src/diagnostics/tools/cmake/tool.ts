import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { cmakeFolder } from "./build-folder.ts";
import type { Place, RelatedPlace, Severity } from "../../../model/diagnostic.ts";

export const cmake = defineBuildTool({
  id: "cmake",
  title: "CMake",
  url: "https://cmake.org",
  ecosystem: "c-cpp",
  kinds: ["build"],
  signatures: [
    "CMake Error",
    "CMake Warning",
    "CMake Deprecation",
    "CMake Internal",
    "CMake Author",
    "-- Configuring ",
  ],
  priority: 8,
  parser: cmakeParser,
  commands: [
    {
      name: "cmake.configure",
      description: "Configure into the build folder",
      detect: (folder) => (folder.has("CMakeLists.txt") ? "CMakeLists.txt is here" : undefined),
      argv: (folder) => ["cmake", "-S", ".", "-B", cmakeFolder(folder)],
    },
    {
      name: "cmake.build",
      description: "Build the configured build folder",
      detect: (folder) => (folder.has("CMakeLists.txt") ? "CMakeLists.txt is here" : undefined),
      argv: (folder) => ["cmake", "--build", cmakeFolder(folder)],
    },
  ],
  manifests: ["CMakeLists.txt"],
});

const HEADER =
  /^CMake (Error|Warning|Deprecation Warning|Deprecation Error|Author Warning|Author Error|Internal Error)(?: \(dev\))?(?: (at|in) (.+?))?:(?: (.*))?$/;
const PLACE = /^(.+?:\d{1,7})(?::EOF)?(?: \((.+)\))?$/;
const FRAME = /^ {2}(\S.*:\d{1,7})(?: \((.*)\))?$/;
const NOISE =
  /^-- |^This warning is for project developers|^See also "|^CMake Generate step failed|^-- Configuring incomplete/;

interface Pending {
  readonly severity: Severity;
  readonly place: Place | undefined;
  readonly lines: string[];
  readonly related: RelatedPlace[];
  /** True if the error has no location; its following lines are then not indented. */
  readonly isPlain: boolean;
  inStack: boolean;
  blank: number;
}

/** Reads CMake's own errors and warnings. */
function cmakeParser(sink: Sink): LineParser {
  let pending: Pending | undefined;

  function close(): void {
    if (pending === undefined) return;
    const { severity, place, lines, related } = pending;
    pending = undefined;
    const message = unwrapped(lines);
    if (message === "" && place === undefined) return;
    sink.diagnostic({
      severity,
      message,
      ...place,
      ...(related.length > 0 ? { related } : {}),
    });
  }

  return {
    take({ text }: Line): boolean {
      const header = HEADER.exec(text);
      if (header !== null) {
        close();
        pending = begin(header);
        return true;
      }
      if (pending !== undefined && continues(pending, text)) return true;
      close();
      return NOISE.test(text);
    },
    end: close,
  };
}

function begin(match: RegExpExecArray): Pending {
  const [, word = "", , where, rest = ""] = match;
  const placed = where === undefined ? null : PLACE.exec(where);
  const place =
    placed === null ? (where === undefined ? undefined : { file: where }) : colonPlace(placed[1] ?? "");
  return {
    severity: word.includes("Warning") ? "warning" : "error",
    place,
    lines: rest === "" ? [] : [rest],
    related: [],
    isPlain: where === undefined && rest !== "",
    inStack: false,
    blank: 0,
  };
}

function continues(pending: Pending, text: string): boolean {
  if (text.trim() === "") {
    // A message with a location ends at two blank lines, one without a location at a single blank line.
    pending.blank++;
    if (pending.isPlain && pending.lines.length > 0 && pending.blank > 0 && !pending.inStack) return false;
    pending.lines.push("");
    return pending.blank <= 3;
  }
  pending.blank = 0;
  if (text === "Call Stack (most recent call first):") {
    pending.inStack = true;
    return true;
  }
  const frame = pending.inStack ? FRAME.exec(text) : null;
  const place = frame === null ? undefined : colonPlace(frame[1] ?? "");
  if (place !== undefined) {
    pending.related.push({ ...place, ...(frame?.[2] === undefined ? {} : { message: frame[2] }) });
    return true;
  }
  if (pending.inStack || (!text.startsWith(" ") && (!pending.isPlain || NOISE.test(text)))) return false;
  if (pending.isPlain && !text.startsWith(" ") && pending.lines.length === 0) return false;
  pending.lines.push(text);
  return true;
}

/** Joins lines that CMake wrapped at 77 columns to paragraphs; more deeply indented lines stay separate. */
function unwrapped(lines: readonly string[]): string {
  const out: string[] = [];
  let paragraph = false;
  for (const line of lines) {
    const text = line.replace(/^ {2}/, "").trimEnd();
    const flows = text !== "" && !text.startsWith(" ");
    const last = out.at(-1);
    if (flows && paragraph && last !== undefined) out[out.length - 1] = `${last} ${text}`;
    else if (text !== "" || (last !== undefined && last !== "")) out.push(text);
    paragraph = flows;
  }
  return out.join("\n").trim();
}
