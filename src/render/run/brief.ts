import { countCharacters, firstCharacters } from "../../kernel/characters.ts";
import type { DiagnosticGroup, GroupedPlace } from "../../model/diagnostic-group.ts";
import type { RunReport } from "../../model/run-report.ts";

/** The most characters shown of a message. A longer first line usually quotes source code or data. */
const MAX_MESSAGE = 400;

/**
 * Shortens diagnostics to the first lines of their messages and leaves out help texts and related places. It is used
 * for lists that do not fit into the reply otherwise.
 */
export function briefGroups(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  return groups.map(({ tool, severity, code, message, files, count }) => ({
    tool,
    severity,
    ...(code === undefined ? {} : { code }),
    message: clipped(message.split("\n", 1)[0] ?? "", MAX_MESSAGE),
    files: files.map(({ file, places }) => ({
      ...(file === undefined ? {} : { file }),
      places: places.map(briefPlace),
    })),
    count,
  }));
}

function briefPlace({ line, column }: GroupedPlace): GroupedPlace {
  return { ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
}

function clipped(text: string, length: number): string {
  const shown = firstCharacters(text, length);
  const left = countCharacters(text.slice(shown.length));
  return left === 0 ? text : `${shown}… (+${left} characters)`;
}

/** Counts the lines that the brief form leaves out: further lines of messages, help, and related places. */
export function countNotes({ fresh, others }: RunReport["groups"]): number {
  return [...fresh, ...others].reduce((sum, { message, help = [], files }) => {
    const places = files.flatMap((file) => file.places);
    const own = places.reduce(
      (lines, place) => lines + (place.related?.length ?? 0) + linesOf(place.help),
      0,
    );
    return sum + linesOf(message) - 1 + own + help.reduce((lines, text) => lines + linesOf(text), 0);
  }, 0);
}

function linesOf(text: string | undefined): number {
  return text === undefined ? 0 : text.split("\n").length;
}
