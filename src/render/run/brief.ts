import { countCharacters, firstCharacters } from "../../kernel/characters.ts";
import type { DiagnosticGroup, GroupedPlace } from "../../model/diagnostic-group.ts";
import type { RunReport } from "../../model/run-report.ts";

/**
 * The most characters shown of a value (a type or a name that the message quotes). Its beginning is enough to recognise
 * it.
 */
const MAX_VALUE = 200;
/** The most characters shown of a message. A longer first line usually quotes source code or data. */
const MAX_MESSAGE = 400;

/**
 * Shortens diagnostics to the first lines of their messages and leaves out help texts, related places and the ends of
 * very long values. It is used for lists so long that nobody would read the explanations.
 */
export function briefGroups(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  return groups.map(({ tool, severity, code, template, files, count }) => {
    const message = clipped(template.split("\n", 1)[0] ?? "", MAX_MESSAGE);
    const gaps = countGaps(message);
    return {
      tool,
      severity,
      ...(code === undefined ? {} : { code }),
      template: message,
      files: files.map(({ file, places }) => ({
        ...(file === undefined ? {} : { file }),
        places: places.map((place) => briefPlace(place, gaps)),
      })),
      count,
    };
  });
}

/**
 * Counts the values that a message template needs. Each `…` is a gap for one value; gaps may be numbered (`…2`), and
 * then the highest number counts.
 */
function countGaps(message: string): number {
  const numbers = [...message.matchAll(/…(\d*)/g)].map(([, number], at) => Number(number || at + 1));
  return Math.max(0, ...numbers);
}

function briefPlace({ line, column, values }: GroupedPlace, gaps: number): GroupedPlace {
  return {
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    values: values.slice(0, gaps).map((value) => clipped(value, MAX_VALUE)),
  };
}

/**
 * Truncates a text. The mark that replaces the rest has no `…`, because in a message template `…` stands for a value.
 */
function clipped(text: string, length: number): string {
  const shown = firstCharacters(text, length);
  const left = countCharacters(text.slice(shown.length));
  return left === 0 ? text : `${shown}[+${left} characters]`;
}

/** Counts the lines that the brief form leaves out: further lines of messages, help, and related places. */
export function countNotes({ fresh, others }: RunReport["groups"]): number {
  return [...fresh, ...others].reduce((sum, { template, help = [], files }) => {
    const places = files.flatMap((file) => file.places);
    const own = places.reduce(
      (lines, place) => lines + (place.related?.length ?? 0) + linesOf(place.help),
      0,
    );
    const each = (linesOf(template) - 1) * places.length;
    return sum + each + own + help.reduce((lines, text) => lines + linesOf(text), 0);
  }, 0);
}

function linesOf(text: string | undefined): number {
  return text === undefined ? 0 : text.split("\n").length;
}
