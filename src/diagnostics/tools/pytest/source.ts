import type { Place } from "../../../model/diagnostic.ts";
import { nativeFrame } from "../python/frames.ts";

/** A statement may be written over several lines; the first ones say what it is. */
const MAX_LINES = 3;
const MAX_CHARACTERS = 300;

/**
 * The statement that failed at a place. In the long style it is marked with `>` and its place stands below it; in the short and the native
 * one it stands below its place.
 */
export function sourceAt(lines: readonly string[], { file, line }: Place): string | undefined {
  const at = lines.findLastIndex(
    (text) => text.startsWith(`${file}:${line}:`) || isNativeAt(text, file, line),
  );
  if (at < 0) return undefined;
  const below = joined(lines.slice(at + 1));
  const marked = lines.findLastIndex((text, index) => index < at && text.startsWith(">"));
  const mine = lines.slice(marked, at).every((text) => !/^\S.*:\d+: (?:in )?\w/.test(text));
  const above =
    marked >= 0 && mine
      ? joined([lines[marked]?.replace(">", " ") ?? "", ...lines.slice(marked + 1, at)])
      : "";
  return (above || below).slice(0, MAX_CHARACTERS) || undefined;
}

function isNativeAt(text: string, file: string, line: number | undefined): boolean {
  const place = nativeFrame(text);
  return place?.file === file && place.line === line;
}

/** The indented lines up to the error or the frame below, without the indentation of the first. */
function joined(lines: readonly string[]): string {
  const end = lines.findIndex((text) => !/^\s+\S/.test(text) || nativeFrame(text) !== undefined);
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((text) => !/^[\s^~]+$/.test(text));
  const margin = own[0]?.search(/\S/) ?? 0;
  return own
    .slice(0, MAX_LINES)
    .map((text) => text.slice(Math.min(margin, text.search(/\S/))).trimEnd())
    .join("\n");
}
