/** Prefixes that a tool's own line could have too; they count only where nearly every line has them. The group names the channel. */
const SHAPES: readonly RegExp[] = [
  // syslog and journald in their forms: `Nov 16 12:00:01 host app[12]: `, `<14>1 2026-11-16T12:00:01Z host app 12 - - `.
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

/** Of these a few lines are enough, if all have them: no tool begins its lines so. */
const TIMES = new Set(SHAPES.slice(0, 8));

/** A clock with two blanks behind it. Lines that the tool indented have more of them behind a clock with one. */
const CLOCK_AND_TWO = /^\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?: {2}|$)/;

/** What `cat -n`, `grep -n` and agents' readers put before lines: their numbers, one higher each. */
const NUMBERED = [/^ {0,8}\d{1,7}(?:\t|→)/, /^\d{1,7}:/, /^ {0,8}\d{1,7} {1,2}(?!\|)/];

/** Fewer lines than this prove nothing. */
const MIN_LINES = 5;
const MAX_LINES = 120;
const MAX_COLUMNS = 300;
/** The share of lines that must have the prefix; a few lines of the wrapper itself may stand between. */
const SHARE = 0.8;

/** The shape of prefix that nearly all lines have, if there is one that is known. */
export function commonPrefix(lines: readonly string[]): RegExp | undefined {
  const told = lines.filter((line) => line.trim() !== "");
  if (told.length === 0) return undefined;
  if (told.every((line) => CLOCK_AND_TWO.test(line))) return CLOCK_AND_TWO;
  const isFew = told.length < MIN_LINES;
  const shape = SHAPES.find((one) => {
    if (isFew && !TIMES.has(one)) return false;
    let hits = 0;
    for (const line of told) if (one.test(line)) hits++;
    return hits >= told.length * (isFew ? 1 : SHARE);
  });
  return shape ?? (isFew ? undefined : NUMBERED.find((one) => isNumbered(told, one)));
}

/** Whether each line has a number, and each a higher one than the line above. */
function isNumbered(lines: readonly string[], shape: RegExp): boolean {
  let last = -1;
  for (const line of lines) {
    const number = Number.parseInt(shape.exec(line)?.[0] ?? "", 10);
    if (!(number > last)) return false;
    last = number;
  }
  return true;
}

/** The beginnings of the first lines of a stretch of the log. */
export function sampleLines(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length && lines.length < MAX_LINES;) {
    const to = text.indexOf("\n", from);
    const end = to < 0 ? text.length : to;
    lines.push(text.slice(from, Math.min(end, from + MAX_COLUMNS)));
    from = end + 1;
  }
  return lines;
}
