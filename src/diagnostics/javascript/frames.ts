import type { Place } from "../../model/diagnostic.ts";
import { colonPlace } from "../parsing/place.ts";

/** One line of a JavaScript stack trace. */
export interface Frame {
  readonly place: Place;
  /** True if the frame is in the runtime or a dependency rather than in the project's own code. */
  readonly isForeign: boolean;
}

const STARTS = /^\s*at (?:async )?/;
const FOREIGN =
  /^(?:node:|internal[:/]|native$|webpack-internal:|ext:|bun:)|(?:^|[\\/])(?:node_modules|\.yarn)[\\/]|(?:^|[\\/])\.pnp\.(?:c?js|loader\.mjs)$|<anonymous>|^\[/;
/** Maximum length of a stack frame's text; no path is longer. */
const MAX_FRAME = 2_000;

/** Returns whether the line belongs to a V8 stack trace, with or without a location: `at new Promise (<anonymous>)`. */
export function isFrame(text: string): boolean {
  return (
    STARTS.test(text) &&
    (/<\w+>$/.test(text) || /[):]\d*(?: \{)?$/.test(text) || /:\d+:\d+/.test(text.slice(0, MAX_FRAME)))
  );
}

/** Reads `at fn (file:1:2)` and `at file:1:2`; file URLs become paths. */
export function stackFrame(text: string): Frame | undefined {
  if (text.length > MAX_FRAME) return undefined;
  const start = STARTS.exec(text);
  if (start === null) return undefined;
  const rest = text.slice(start[0].length).replace(/ \{$/, "");
  const open = rest.indexOf(" (");
  const inside = open >= 0 && rest.endsWith(")") ? rest.slice(open + 2, -1) : rest;
  return frameAt(inside);
}

/** Reads the location of a frame, or returns undefined if the text is not a location. */
export function frameAt(text: string): Frame | undefined {
  const place = colonPlace(text);
  if (place?.line === undefined || place.column === undefined) return undefined;
  const file = plainPath(place.file);
  return { place: { ...place, file }, isForeign: FOREIGN.test(file) };
}

/** Returns the first location of a stack in the project's own code, or undefined. */
export function projectPlace(lines: readonly string[]): Place | undefined {
  for (const line of lines) {
    const frame = stackFrame(line);
    if (frame !== undefined && !frame.isForeign) return frame.place;
  }
  return undefined;
}

/** Matches what bundlers and Cypress put before the path of a file that a browser loaded. */
const SERVED = /^(?:webpack(?:-internal)?:\/\/[^/]{0,200}\/|https?:\/\/[^/]{1,200}\/__cypress\/tests\?p=)/;

/** Converts a file URL, or the URL of a file served to a browser, to a path without a loader's query. */
export function plainPath(text: string): string {
  const served = SERVED.exec(text);
  if (served !== null) return text.slice(served[0].length);
  if (!text.startsWith("file:/")) return text;
  const path = decode(text.slice(text.startsWith("file://") ? 7 : 5).replace(/\?.*$/, ""));
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // A path with a literal percent sign is already plain.
  }
}
