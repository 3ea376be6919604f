import type { Place } from "../../model/diagnostic.ts";
import { colonPlace } from "../parsing/place.ts";

/** One line of a stack trace. */
export interface Frame {
  readonly place: Place;
  /** Of the runtime or of a dependency: not where the project's own code went wrong. */
  readonly foreign: boolean;
}

const STARTS = /^\s*at (?:async )?/;
const FOREIGN =
  /^(?:node:|internal[:/]|native$|webpack-internal:|ext:|bun:)|(?:^|[\\/])(?:node_modules|\.yarn)[\\/]|(?:^|[\\/])\.pnp\.(?:c?js|loader\.mjs)$|<anonymous>|^\[/;
/** No path is longer than this; longer text is no frame. */
const MAX_FRAME = 2_000;

/** Whether the line is one of a V8 stack trace, with or without a place: `at new Promise (<anonymous>)`. */
export function isFrame(text: string): boolean {
  return (
    STARTS.test(text) &&
    (/<\w+>$/.test(text) || /[):]\d*(?: \{)?$/.test(text) || /:\d+:\d+/.test(text.slice(0, MAX_FRAME)))
  );
}

/** Reads `at fn (file:1:2)` and `at file:1:2`, with file URLs as paths. */
export function stackFrame(text: string): Frame | undefined {
  if (text.length > MAX_FRAME) return undefined;
  const start = STARTS.exec(text);
  if (start === null) return undefined;
  const rest = text.slice(start[0].length).replace(/ \{$/, "");
  const open = rest.indexOf(" (");
  const inside = open >= 0 && rest.endsWith(")") ? rest.slice(open + 2, -1) : rest;
  return frameAt(inside);
}

/** The frame at a place as a stack names it, or undefined where it names none. */
export function frameAt(text: string): Frame | undefined {
  const place = colonPlace(text);
  if (place?.line === undefined || place.column === undefined) return undefined;
  const file = plainPath(place.file);
  return { place: { ...place, file }, foreign: FOREIGN.test(file) };
}

/** The first place of the project's own code in a stack, or undefined. */
export function projectPlace(lines: readonly string[]): Place | undefined {
  for (const line of lines) {
    const frame = stackFrame(line);
    if (frame !== undefined && !frame.foreign) return frame.place;
  }
  return undefined;
}

/** What bundlers and Cypress put before the path of a file that a browser loaded. */
const SERVED = /^(?:webpack(?:-internal)?:\/\/[^/]{0,200}\/|https?:\/\/[^/]{1,200}\/__cypress\/tests\?p=)/;

/** A file URL as a path, without a loader's query; likewise what a browser was served. */
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
    return text; // A path with a bare percent sign is already plain.
  }
}
