import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedPlace } from "../../model/diagnostic-group.ts";

/** A list of diagnostics in which repeated notes are replaced by marks. */
export interface Footnoted {
  readonly groups: readonly DiagnosticGroup[];
  /** Returns the notes whose marks appear for the first time in the given text, one line per note. */
  readonly notesFor: (text: string) => string[];
}

/** The fewest tokens that a footnote must save to be used. */
const MIN_SAVED = 12;
/** The tokens that the mark of a footnote costs each time it is used. */
const MARK_TOKENS = 2;

/**
 * Replaces help and notes that many diagnostics repeat by marks such as `*1`, and writes each note once above its first
 * use.
 */
export function addFootnotes(groups: readonly DiagnosticGroup[]): Footnoted {
  const times = new Map<string, number>();
  const count = (text: string): void => void times.set(text, (times.get(text) ?? 0) + 1);
  for (const group of groups) replaced(group, (text) => (count(text), text));
  const marks = new Map<string, string>();
  for (const [text, uses] of times) if (paysOff(text, uses)) marks.set(text, `*${marks.size + 1}`);
  const open = new Map([...marks].map(([text, mark]) => [mark, text]));
  return {
    groups:
      marks.size === 0 ? groups : groups.map((group) => replaced(group, (text) => marks.get(text) ?? text)),
    notesFor(text) {
      const used = open.size === 0 ? [] : (text.match(/\*\d+/g) ?? []);
      return [...new Set(used)].flatMap((mark) => {
        const note = open.get(mark);
        return open.delete(mark) && note !== undefined ? [`${mark} = ${note}`] : [];
      });
    },
  };
}

export function isMark(text: string): boolean {
  return /^\*\d+$/.test(text);
}

function paysOff(text: string, uses: number): boolean {
  return !text.includes("\n") && (estimateTokens(text) + 1 - MARK_TOKENS) * (uses - 1) >= MIN_SAVED;
}

function replaced(group: DiagnosticGroup, replace: (text: string) => string): DiagnosticGroup {
  return {
    ...group,
    ...(group.help === undefined ? {} : { help: group.help.map(replace) }),
    files: group.files.map((file) => ({
      ...file,
      places: file.places.map((place) => replacedPlace(place, replace)),
    })),
  };
}

function replacedPlace(place: GroupedPlace, replace: (text: string) => string): GroupedPlace {
  if (place.help === undefined && place.related === undefined) return place;
  return {
    ...place,
    ...(place.help === undefined ? {} : { help: replace(place.help) }),
    ...(place.related === undefined
      ? {}
      : {
          related: place.related.map((one) =>
            one.message === undefined ? one : { ...one, message: replace(one.message) },
          ),
        }),
  };
}
