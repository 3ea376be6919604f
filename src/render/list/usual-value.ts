import type { GroupedFile } from "../../model/diagnostic-group.ts";

/** What stands in the last gap of a message at all places that do not give another value. */
export interface Usual {
  readonly value: string;
  /** How many gaps the message has; a place with one value less has this one. */
  readonly gaps: number;
}

/** The value that most places have in the last gap; none where a place cannot do without it, or where it could not be told from the message. */
export function usualOf(template: string, files: readonly GroupedFile[]): Usual | undefined {
  const gaps = template.match(/…/g)?.length ?? 0;
  if (gaps === 0 || /…\d|…\{/.test(template)) return undefined;
  const times = new Map<string, number>();
  for (const { places } of files)
    for (const { values, line } of places) {
      if (line === undefined) return undefined;
      const value = values.at(-1) ?? "";
      times.set(value, (times.get(value) ?? 0) + 1);
    }
  const [value, most] = [...times].reduce((best, one) => (one[1] > best[1] ? one : best), ["", 0]);
  return most < 2 || value === "" || /[{}…\n]/.test(value) ? undefined : { value, gaps };
}

/** The message with its usual value: `in <…{assign}> detected`. */
export function withUsual(template: string, usual: Usual | undefined): string {
  if (usual === undefined) return template;
  const behind = template.lastIndexOf("…") + 1;
  return `${template.slice(0, behind)}{${usual.value}}${template.slice(behind)}`;
}
