/** The height of a line in pixels; the style sheet has the same. */
export const LINE_HEIGHT = 20;
/** Browsers cannot make an element higher than about 17 million pixels, so that a long log is scrolled in a smaller one. */
const MAX_HEIGHT = 8_000_000;
/** A move of the scroll bar by more than this many screens is a jump to a part of the log, a smaller one is by lines. */
const SCREENS_PER_JUMP = 2;

/** The height of the element that is scrolled. Positions in the log are in pixels of the whole log, which may be higher. */
export function heightOf(lines: number): number {
  return Math.min(lines * LINE_HEIGHT, MAX_HEIGHT);
}

/** The pixels of the log per pixel of the scroll bar. */
function scaleOf(lines: number, screen: number): number {
  const height = heightOf(lines);
  return height <= screen ? 1 : Math.max(1, (lines * LINE_HEIGHT - screen) / (height - screen));
}

/** Returns the top of the log after the element was scrolled from one position to another. */
export function scrolled(
  top: number,
  { from, to, lines, screen }: { from: number; to: number; lines: number; screen: number },
): number {
  const scale = scaleOf(lines, screen);
  const last = lastTop(lines, screen);
  if (scale === 1) return Math.min(to, last);
  if (to <= 0) return 0;
  if (to >= heightOf(lines) - screen - 1) return last;
  const isJump = Math.abs(to - from) > screen * SCREENS_PER_JUMP;
  return clamp(isJump ? to * scale : top + (to - from), lines, screen);
}

/** Returns the scroll position of the element that stands for a top of the log. */
export function positionOf(top: number, lines: number, screen: number): number {
  return top / scaleOf(lines, screen);
}

export function clamp(top: number, lines: number, screen: number): number {
  return Math.max(0, Math.min(top, lastTop(lines, screen)));
}

export function lastTop(lines: number, screen: number): number {
  return Math.max(0, lines * LINE_HEIGHT - screen);
}
