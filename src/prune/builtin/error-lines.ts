/** Matches words and marks by which tools report errors. */
const ERROR_WORDS =
  /\b(?:error|errors|exception|fatal|panic(?:ked)?|traceback|failed|failure|failures|assert\w*|segfault|undefined reference|cannot|could not|denied|not found|unresolved|abort(?:ed)?)\b|^\s*(?:E\s{2,}|✗|✖|×|●|not ok\b|FAIL\b|ERR!)|\w(?:Error|Exception)\b/i;
/** Matches counts of zero, such as "0 errors" or "no failures". */
const ZERO_ERRORS = /\b(?:0|no|zero)\s+(?:\w+\s+)?(?:errors?|failures?|failed|exceptions?)\b/i;
/** Matches a message that starts with its location, as compilers and test runners write it. */
const STARTS_WITH_LOCATION = /^\s*[\w./\\@-]{1,200}\.\w{1,6}:\d+(?::\d+)?:?\s/;
const NOT_AN_ERROR = /\b(?:warning|note|info|information|hint|debug|ok|passed)\b/i;
/** Matches details of an error: expected and actual values of tests, and message fields of JSON reports and events. */
const DETAIL =
  /\b(?:expect\(\w*\)|mismatch|unexpected|unknown|missing|invalid|timed? ?out|unable to|refused|killed|no such|must (?:be|have|implement)|(?:is|are) not|do(?:es)? not|doesn't|undefined|issue:)|^\s*(?:[-+E]\s+)?(?:expected|received|actual|got|left|right|want|have|wanted|Expected|Value of|Which is|reason|Caused by)\b.{0,40}?[:=]|"(?:message|msg|text|stack|reason|issue_text|failureMessages?|stderr)"\s*:\s*["[{]\s*"?\S/i;
const EVENT_TEXT = /"(?:Output|output|message|msg|text|error)"\s*:\s*"((?:[^"\\]|\\.)*)/;
/** Matches a line of a stack trace in the common languages. */
const STACK_FRAME =
  /^\s*(?:at\s|File "|\d+:\s+0x|#\d+\s|#\s\S+:\d+|❯\s|from\s\S+:\d+|\S+\.(?:go|rs|py|rb|js|ts|java|kt|cs|php|exs?):\d+|goroutine\s|\.\.\. \d+ more|Caused by:)/;
/** Matches a file name with a line number. */
const LOCATION = /[\w)\]-]\.\w{1,6}(?::\d+|", line \d+|\(\d+[,)])/;
/** Matches locations outside the project, such as libraries and runtimes. */
const OUTSIDE_PROJECT =
  /node_modules|node:|\binternal\/|site-packages|dist-packages|\/usr\/|\/lib\/(?:python|ruby|node|go)|\/gems\/|\/rustc\/|\/registry\/|\bjava\.base\/|\bjdk\.|\borg\.junit|\bsun\.|<frozen/;
/** Number of characters at the start of a line that are searched for signs of an error. */
const MAX_CHECKED_LENGTH = 500;

/** Matches the word by which a tool says how severe its message is, such as `warning:`, `[ERROR]` or `error[E0308]:`. */
const SEVERITY =
  /(?:^|[\s[(|:-])(error|fatal|warning|warn|information|info|note|hint|notice|debug|trace)(?:\[[\w-]+\]|\([\w-]+\)|\s+[A-Z]{1,5}\d+)?(?:\s*[:\])|]|\s+-\s)/i;
const WARNING = /^warn/i;

export type Severity = "error" | "warning" | "information";

/** Returns how severe a line says its message is. */
export function severityOf(line: string): Severity | undefined {
  const word = SEVERITY.exec(line.slice(0, MAX_CHECKED_LENGTH))?.[1];
  if (word === undefined) return undefined;
  if (/^(?:error|fatal)$/i.test(word)) return "error";
  return WARNING.test(word) ? "warning" : "information";
}

/** Returns true if a line reports an error. A line that first says that it is a warning is none, whatever words follow. */
export function isErrorLine(line: string): boolean {
  const start = line.slice(0, MAX_CHECKED_LENGTH);
  const word = ERROR_WORDS.exec(start);
  if (word !== null) {
    const before = severityOf(start.slice(0, word.index));
    return (before === undefined || before === "error") && !ZERO_ERRORS.test(start);
  }
  return STARTS_WITH_LOCATION.test(start) && !NOT_AN_ERROR.test(start);
}

/** Returns the message if a log line is a JSON event, else the line itself. */
export function messageOf(line: string): string {
  if (!line.startsWith("{")) return line;
  return EVENT_TEXT.exec(line.slice(0, 4 * MAX_CHECKED_LENGTH))?.[1] ?? line;
}

/** Returns true if a line has details of an error: expected and actual values, or the message in a JSON report. */
export function isErrorDetail(line: string): boolean {
  return DETAIL.test(line.slice(0, MAX_CHECKED_LENGTH));
}

export function isStackFrame(line: string): boolean {
  return STACK_FRAME.test(line.slice(0, MAX_CHECKED_LENGTH));
}

/** Returns true if a line contains a location in the project's own code. */
export function isProjectLocation(line: string): boolean {
  const start = line.slice(0, MAX_CHECKED_LENGTH);
  return LOCATION.test(start) && !OUTSIDE_PROJECT.test(start);
}
