import type { DiagnosticGroup, GroupedPlace } from "../model/diagnostic-group.ts";

/** A type or a name beyond this is recognised by its beginning. */
const MAX_VALUE = 60;
/** What a message says is in its first line, and that in its beginning. */
const MAX_MESSAGE = 160;

/**
 * The same diagnostics with their first lines only: without the lines that explain, the places that they point to, and the ends of
 * long names. For lists so long that nobody reads the explanations.
 */
export function briefGroups(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  return groups.map(({ tool, severity, code, template, files, count }) => ({
    tool,
    severity,
    ...(code === undefined ? {} : { code }),
    template: clipped(template.split("\n", 1)[0] ?? "", MAX_MESSAGE),
    files: files.map(({ file, places }) => ({
      ...(file === undefined ? {} : { file }),
      places: places.map(briefPlace),
    })),
    count,
  }));
}

function briefPlace({ line, column, values }: GroupedPlace): GroupedPlace {
  return {
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    values: values.map((value) => clipped(value, MAX_VALUE)),
  };
}

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
