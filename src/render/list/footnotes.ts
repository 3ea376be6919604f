import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedPlace } from "../../model/diagnostic-group.ts";

/** A list whose notes are given once, and what its marks stand for. */
export interface Footnoted {
  readonly groups: readonly DiagnosticGroup[];
  /** The notes that a text is the first to refer to, a line each. */
  readonly notesFor: (text: string) => string[];
}

/** A note is worth a mark from so many tokens saved on. */
const MIN_SAVED = 12;
/** What a mark costs at each place. */
const MARK_TOKENS = 2;

/** Help and notes that stand at many places are said once, above the first; a mark such as `*1` stands at each place. */
export function footnoted(groups: readonly DiagnosticGroup[]): Footnoted {
  const times = new Map<string, number>();
  const count = (text: string): void => void times.set(text, (times.get(text) ?? 0) + 1);
  for (const group of groups) replaced(group, (text) => (count(text), text));
  const marks = new Map<string, string>();
  for (const [text, uses] of times) if (isWorthAMark(text, uses)) marks.set(text, `*${marks.size + 1}`);
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

/** Whether a text is the mark of a note. */
export function isMark(text: string): boolean {
  return /^\*\d+$/.test(text);
}

function isWorthAMark(text: string, uses: number): boolean {
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
