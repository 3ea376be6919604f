import { countCharacters, firstCharacters } from "../../kernel/characters.ts";
import type { DiagnosticGroup, GroupedPlace } from "../../model/diagnostic-group.ts";
import type { RunReport } from "../../model/run-report.ts";

/** A type or a name beyond this is recognised by its beginning. */
const MAX_VALUE = 200;
/** What a message says is in its first line; one that is longer than this quotes something. */
const MAX_MESSAGE = 400;

/**
 * The same diagnostics with their first lines only: without the lines that explain, the places that they point to, and the ends of what is
 * very long. For lists so long that nobody reads the explanations.
 */
export function briefGroups(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  return groups.map(({ tool, severity, code, template, files, count }) => {
    const message = clipped(template.split("\n", 1)[0] ?? "", MAX_MESSAGE);
    const gaps = gapsIn(message);
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

/** How many values a message takes: as many as it has gaps, or as the largest number of one. */
function gapsIn(message: string): number {
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

/** `…` stands for a value in these texts, so the mark does without it. */
function clipped(text: string, length: number): string {
  const shown = firstCharacters(text, length);
  const left = countCharacters(text.slice(shown.length));
  return left === 0 ? text : `${shown}[+${left} characters]`;
}

/** How many lines the brief form leaves out: those below the first of a message, of help, and places that are pointed to. */
export function notesIn({ fresh, others }: RunReport["groups"]): number {
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
