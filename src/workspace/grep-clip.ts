/** How much of a line is shown, and how much of it may stand before the match. */
export const SHOWN_CHARACTERS = 400;
const SHOWN_BEFORE = 120;

/** Cuts a text down to the part around a match; `missing` says at which ends it is already cut. */
export function clipAround(
  before: string,
  after: string,
  missing: { readonly start: boolean; readonly end: boolean },
) {
  const fits = before.length + after.length <= SHOWN_CHARACTERS;
  if (fits && !missing.start && !missing.end) return { text: before + after, clipped: false };
  // A match near the end leaves room for more of what stands before it.
  const room = Math.max(SHOWN_BEFORE, SHOWN_CHARACTERS - after.length);
  const start = safeOffset(before, Math.max(0, before.length - room));
  const end = safeOffset(after, Math.min(after.length, SHOWN_CHARACTERS - (before.length - start)));
  const left = missing.start || start > 0 ? "…" : "";
  const right = missing.end || end < after.length ? "…" : "";
  return { text: `${left}${before.slice(start)}${after.slice(0, end)}${right}`, clipped: true };
}

/** Moves an offset off the second half of a surrogate pair. */
function safeOffset(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code < 0xe000 && at > 0 ? at - 1 : at;
}
