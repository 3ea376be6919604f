/**
 * Formats of prefixes that could also be part of a tool's own line, so they are removed only if nearly every line has
 * them. A capture group, if any, names the package or service that wrote the line.
 */
const SHAPES: readonly RegExp[] = [
  // Formats of syslog and journald: `Nov 16 12:00:01 host app[12]: `, `<14>1 2026-11-16T12:00:01Z host app 12 - - `.
  /^(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,6})? [\w.-]{1,100} [\w./@-]{1,80}(?:\[\d{1,9}\])?: ?/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d) (?:[\w.-]{1,100} )?[\w./@-]{1,80}\[[\w.]{1,40}\]: ?/,
  /^<\d{1,3}>1 \d{4}-\d\d-\d\dT\S{8,30} \S{1,100} \S{1,80} \S{1,40} \S{1,40} (?:-|\[[^\]]{0,300}\]) ?/,
  /^\d{4}[-/]\d\d[-/]\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?(?:UTC|Z|[+-]\d\d:?\d\d))?(?: \||:)?(?: |$)/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: |$)/,
  /^\d{1,2}:\d\d:\d\d (?:AM|PM): ?/,
  /^\d\d:\d\d:\d\d ([\w.-]{1,60}) +\| ?/,
  /^\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?! [AP]M\b)(?: \|)?(?: |$)/,
  /^\[([^\]]{1,100})\] {1,3}\| ?/,
  /^Step #\d{1,4}(?: - "([^"]{1,60})")?:(?: |$)/,
  /^\[(\d{1,2})\](?: |$)/,
  /^\[[\w.-]{1,60}:\d{1,7}\](?: |$)/,
  /^\[ *\d{1,7}(?:\.\d{1,6})?s?\](?: |$)/,
  /^\d{1,4}\|([\w.-]{1,60}) +\| ?/,
  /^([A-Za-z][\w.-]{0,60}) +\| ?/,
  /^\[(?!(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|info|warn|warning|error|debug|success|fail)\])([A-Za-z@](?:[\w@/.:-]{0,60}|[\w./ -]{0,60}))\]:? ?/,
];

/**
 * Timestamp formats with which no tool starts its own lines. If all lines have one, it counts as a prefix even in a log
 * of a few lines.
 */
const TIMES = new Set(SHAPES.slice(0, 8));

/**
 * Matches a time followed by two blanks. If the prefix were a time with one blank, only indented lines would have a
 * second one.
 */
const CLOCK_AND_TWO = /^\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: {2}|$)/;

/** Line numbers that `cat -n`, `grep -n` and file viewers of agents print before each line. */
const NUMBERED = [/^ {0,8}\d{1,7}(?:\t|→)/, /^\d{1,7}:/, /^ {0,8}\d{1,7} {1,2}(?!\|)/];

/** The fewest lines from which any common prefix is accepted; in fewer lines, only a timestamp is accepted. */
const MIN_LINES = 5;
const MAX_LINES = 120;
const MAX_COLUMNS = 300;
/** Share of lines that must have the prefix; the others may be lines that the wrapping program wrote itself. */
const SHARE = 0.8;

/** Finds the known prefix format that nearly all lines have, if any. */
export function commonPrefix(lines: readonly string[]): RegExp | undefined {
  const nonBlank = lines.filter((line) => line.trim() !== "");
  if (nonBlank.length === 0) return undefined;
  if (nonBlank.every((line) => CLOCK_AND_TWO.test(line))) return CLOCK_AND_TWO;
  const isFew = nonBlank.length < MIN_LINES;
  const shape = SHAPES.find((one) => {
    if (isFew && !TIMES.has(one)) return false;
    let hits = 0;
    for (const line of nonBlank) if (one.test(line)) hits++;
    return hits >= nonBlank.length * (isFew ? 1 : SHARE);
  });
  return shape ?? (isFew ? undefined : NUMBERED.find((one) => isNumbered(nonBlank, one)));
}

/** Returns whether each line starts with a higher number than the line above. */
function isNumbered(lines: readonly string[], shape: RegExp): boolean {
  let last = -1;
  for (const line of lines) {
    const number = Number.parseInt(shape.exec(line)?.[0] ?? "", 10);
    if (!(number > last)) return false;
    last = number;
  }
  return true;
}

/** Returns the beginnings of the first lines of a text that is given in blocks of whole lines. */
export function sampleLines(blocks: readonly string[]): string[] {
  const lines: string[] = [];
  for (const text of blocks)
    for (let from = 0; from < text.length && lines.length < MAX_LINES;) {
      const to = text.indexOf("\n", from);
      const end = to < 0 ? text.length : to;
      lines.push(text.slice(from, Math.min(end, from + MAX_COLUMNS)));
      from = end + 1;
    }
  return lines;
}
