import type { Place } from "../../model/diagnostic.ts";
import { colonPlace } from "../parsing/place.ts";
import type { Found } from "../tool.ts";
import { isFrame, projectPlace } from "./frames.ts";

const AT = /^(\S.{0,1000}?) \((\d{1,9}):(\d{1,9})\)(?:: (.*))?$/;
const FILE = /^file: (\S.*?)(?: \([^()]*\))?$/;
const URL = /^https:\/\/\S+$/;
const CODE = /^ *\d+: |^ *\^+ *$/;
const NUMBERED = /^ *(\d{1,9}): /;
const CARET = /^ *\^+ *$/;
const BARE_FILE = /^[^\s:*?"<>|]+\.[A-Za-z]{1,5}$/;
const PLUGIN = /^(?:\[(?:plugin )?[\w@:/.-]+\]:? )+|^\(plugin [^()]{1,100}\) /;
const FROM = / from "([^"]{1,1000})"/;

/** Reads one error or warning of Rollup or Vite, which count columns from 0. */
export function readRollupError(lines: readonly string[], severity: "error" | "warning"): Found {
  const message: string[] = [];
  let place: Place | undefined;
  let url: string | undefined;
  let code: { readonly line: number; readonly start: number } | undefined;
  for (const [index, line] of lines.entries()) {
    const text =
      index === 0
        ? line
            .replace(PLUGIN, "")
            .replace(/^RollupError: /, "")
            .replace(PLUGIN, "")
        : line;
    const [, file = "", row, column, rest] = text.length < 4_000 ? (AT.exec(text) ?? []) : [];
    const named = FILE.exec(text)?.[1];
    const numbered = NUMBERED.exec(text);
    if (numbered !== null) code = { line: Number(numbered[1]), start: numbered[0].length };
    if (isFrame(text) || /^ *\[cause\] /.test(text)) break;
    if (row !== undefined) {
      place ??= { file, line: Number(row), column: Number(column) + 1 };
      if (rest !== undefined) message.push(rest);
    } else if (named !== undefined) place = betterPlace(place, named);
    else if (URL.test(text)) url = text;
    else if (lines.length > 1 && BARE_FILE.test(text)) place ??= { file: text };
    else if (CARET.test(text) && place !== undefined && place.line === undefined && code !== undefined)
      place = { ...place, line: code.line, column: text.indexOf("^") - code.start + 1 };
    else if (!CODE.test(text) && text.trim() !== "") message.push(text.trimEnd());
  }
  const importer = FROM.exec(message[0] ?? "")?.[1];
  place ??= projectPlace(lines) ?? (importer === undefined ? undefined : { file: importer });
  return { severity, message: message.join("\n"), ...place, ...(url === undefined ? {} : { url }) };
}

/**
 * Returns the location that is already known, because Vite prints a location again with its absolute path; without one,
 * reads it from the text.
 */
function betterPlace(known: Place | undefined, named: string): Place {
  if (known !== undefined) return known;
  const place = colonPlace(named);
  if (place === undefined) return { file: named };
  return place.column === undefined ? place : { ...place, column: place.column + 1 };
}
