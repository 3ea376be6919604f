/** Prefixes that a tool's own line could have too; they count only where nearly every line has them. */
const SHAPES: readonly RegExp[] = [
  /^\d{4}[-/]\d\d[-/]\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:UTC|Z|[+-]\d\d:?\d\d))?(?: \||:)? ?/,
  /^\d\d:\d\d:\d\d(?:[.,]\d{1,9})? {2}/,
  /^\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: \|)? ?/,
  /^\[(\d{1,2})\] /,
  /^\[ *\d{1,7}(?:\.\d{1,6})?s?\] ?/,
  /^([A-Za-z][\w.-]{0,60}) +\| ?/,
  /^\[(?!(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|info|warn|warning|error|debug|success|fail)\])([A-Za-z@](?:[\w@/.:-]{0,60}|[\w./ -]{0,60}))\]:? ?/,
];

/** Fewer lines than this prove nothing. */
const MIN_LINES = 5;
const MAX_LINES = 400;
/** The share of lines that must have the prefix; a few lines of the wrapper itself may stand between. */
const SHARE = 0.8;

/** The shape of prefix that nearly all lines of the text have, if there is one. */
export function commonPrefix(text: string): RegExp | undefined | "too short" {
  const lines = sample(text);
  if (lines.length < MIN_LINES) return "too short";
  return SHAPES.find((shape) => {
    let hits = 0;
    for (const line of lines) if (shape.test(line)) hits++;
    return hits >= lines.length * SHARE;
  });
}

function sample(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length && lines.length < MAX_LINES;) {
    const to = text.indexOf("\n", from);
    const end = to < 0 ? text.length : to;
    const line = text.slice(from, Math.min(end, from + 200));
    if (line.trim() !== "") lines.push(line);
    from = end + 1;
  }
  return lines;
}
