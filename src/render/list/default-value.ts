import type { GroupedFile } from "../../model/diagnostic-group.ts";

/** The value that belongs into the last gap (`…`) of a message at all places that give no other value. */
export interface DefaultValue {
  readonly value: string;
  /** The number of gaps in the message. A place that gives one value less has the default value in the last gap. */
  readonly gaps: number;
}

/**
 * Finds the most common value of a message's last gap. There is none if a place has no line, or if the value could be
 * mistaken for a part of the message.
 */
export function findDefault(template: string, files: readonly GroupedFile[]): DefaultValue | undefined {
  const gaps = template.match(/…/g)?.length ?? 0;
  if (gaps === 0 || /…\d|…\{/.test(template)) return undefined;
  const times = new Map<string, number>();
  for (const { places } of files)
    for (const { values, line } of places) {
      if (line === undefined) return undefined;
      const value = values.at(-1) ?? "";
      times.set(value, (times.get(value) ?? 0) + 1);
    }
  const [value, count] = [...times].reduce((best, one) => (one[1] > best[1] ? one : best), ["", 0]);
  return count < 2 || value === "" || /[{}…\n]/.test(value) ? undefined : { value, gaps };
}

/** Writes the default value into the message: `in <…{assign}> detected`. */
export function showDefault(template: string, defaultValue: DefaultValue | undefined): string {
  if (defaultValue === undefined) return template;
  const end = template.lastIndexOf("…") + 1;
  return `${template.slice(0, end)}{${defaultValue.value}}${template.slice(end)}`;
}
