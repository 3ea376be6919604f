/** Lines that say what went wrong, in the words that tools use for it. */
const COMPLAINT =
  /\b(?:error|errors|exception|fatal|panic(?:ked)?|traceback|failed|failure|failures|assert\w*|segfault|undefined reference|cannot|could not|denied|not found|unresolved|abort(?:ed)?)\b|^\s*(?:E\s{2,}|✗|✖|×|●|not ok\b|FAIL\b|ERR!)|\w(?:Error|Exception)\b/i;
/** Counts of nothing are no complaint: "0 errors", "no failures". */
const NO_COMPLAINT = /\b(?:0|no|zero)\s+(?:\w+\s+)?(?:errors?|failures?|failed|exceptions?)\b/i;
/** A message that begins with its place, as compilers and test runners write it. */
const PLACE_FIRST = /^\s*[\w./\\@-]{1,200}\.\w{1,6}:\d+(?::\d+)?:?\s/;
const NO_FAULT = /\b(?:warning|note|info|debug|ok|passed)\b/i;
/** What a test expected and had, and the fields of JSON reports and events that hold what is said. */
const DETAIL =
  /\b(?:expect\(\w*\)|mismatch|unexpected|unknown|missing|invalid|timed? ?out|unable to|refused|killed|no such|must (?:be|have|implement)|(?:is|are) not|do(?:es)? not|doesn't|undefined|issue:)|^\s*(?:[-+E]\s+)?(?:expected|received|actual|got|left|right|want|have|wanted|Expected|Value of|Which is|reason|Caused by)\b.{0,40}?[:=]|"(?:message|msg|text|stack|reason|issue_text|failureMessages?|stderr)"\s*:\s*["[{]\s*"?\S/i;
const EVENT_TEXT = /"(?:Output|output|message|msg|text|error)"\s*:\s*"((?:[^"\\]|\\.)*)/;
/** A line of a stack trace, in the main languages. */
const FRAME =
  /^\s*(?:at\s|File "|\d+:\s+0x|#\d+\s|#\s\S+:\d+|❯\s|from\s\S+:\d+|\S+\.(?:go|rs|py|rb|js|ts|java|kt|cs|php|exs?):\d+|goroutine\s|\.\.\. \d+ more|Caused by:)/;
/** A line that names a line of a file. */
const PLACE = /[\w)\]-]\.\w{1,6}(?::\d+|", line \d+|\(\d+[,)])/;
/** Places in code that is not the project's. */
const FOREIGN =
  /node_modules|node:|\binternal\/|site-packages|dist-packages|\/usr\/|\/lib\/(?:python|ruby|node|go)|\/gems\/|\/rustc\/|\/registry\/|\bjava\.base\/|\bjdk\.|\borg\.junit|\bsun\.|<frozen/;
/** Very long lines are judged by their beginning. */
const JUDGED = 500;

/** Whether a line says that something went wrong. */
export function isComplaint(line: string): boolean {
  const start = line.slice(0, JUDGED);
  if (COMPLAINT.test(start)) return !NO_COMPLAINT.test(start);
  return PLACE_FIRST.test(start) && !NO_FAULT.test(start);
}

/** What a line says: of an event in JSON, the text in it. */
export function textOf(line: string): string {
  if (!line.startsWith("{")) return line;
  return EVENT_TEXT.exec(line.slice(0, 4 * JUDGED))?.[1] ?? line;
}

/** Whether a line tells more of what went wrong: expected and received, or the message in a JSON report. */
export function isDetail(line: string): boolean {
  return DETAIL.test(line.slice(0, JUDGED));
}

/** Whether a line belongs to a stack trace. */
export function isFrame(line: string): boolean {
  return FRAME.test(line.slice(0, JUDGED));
}

/** Whether a line names a place in the project's own code. */
export function isOwnPlace(line: string): boolean {
  const start = line.slice(0, JUDGED);
  return PLACE.test(start) && !FOREIGN.test(start);
}
