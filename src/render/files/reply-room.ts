import type { ReplyRoom } from "../../model/pruning.ts";
import type { View } from "../rendered.ts";
import type { FileReply } from "./file-reply.ts";
import { reserveFrame } from "./file-slice.ts";
import { JSON_GAP, lineWriter } from "./file-lines.ts";
import { pageLines } from "./shown-part.ts";
import { declaredName, firstNames, gapMark } from "./focus.ts";
import { fullOutcome, roomOf } from "./room.ts";

/** The room of a reply for the lines of a file, as the renderer will count it. */
export function roomFor(reply: Omit<FileReply, "pruning">, view: View): ReplyRoom {
  const { slice } = reply;
  const { budget, format } = view;
  const whole = { ...reply, pruning: fullOutcome(slice.lines.length, slice.sizeBytes) };
  reserveFrame(whole, view);
  const write = lineWriter(whole, view);
  const gapNames = namesByRange(slice.lines);
  return roomOf(budget, pageLines(slice), {
    line: write.line,
    gap(start, end) {
      const gap = { start: start + slice.startLine, end: end + slice.startLine };
      const mark = write.gap(gapMark(gap, gapNames(start, end)));
      // The first line after a gap has a number, unlike most lines.
      return format === "json" ? `${mark}${JSON_GAP}` : `${mark}${gap.end + 1}`;
    },
  });
}

/** Returns what the mark of a gap says about it, with the declarations of the text looked up only once. */
function namesByRange(lines: readonly string[]): (start: number, end: number) => string {
  const names: string[] = [];
  const before = new Uint32Array(lines.length + 1);
  for (const [index, line] of lines.entries()) {
    const name = declaredName(line);
    if (name !== undefined) names.push(name);
    before[index + 1] = names.length;
  }
  return (start, end) => firstNames(names.slice(before[start], before[end + 1]));
}
