import type { DiagnosticGroup, GroupedPlace } from "../model/diagnostic-group.ts";

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

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}[cut]` : text;
}
