/**
 * The type of a part of an issue text (a long query, such as a bug report). It determines how much the words of the
 * part count.
 */
export type Zone = "title" | "prose" | "code" | "block" | "frame" | "form";

interface IssuePart {
  readonly zone: Zone;
  readonly text: string;
}

/**
 * Splits an issue text (a long query, such as a bug report) into parts: lines, and within lines the code in backticks.
 */
export function splitIssueText(text: string): readonly IssuePart[] {
  const parts: IssuePart[] = [];
  let fence = "";
  for (const line of text.replaceAll(COMMENT, " ").split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === "" || mark.startsWith(fence))) {
      fence = fence === "" ? mark.slice(0, 3) : "";
      continue;
    }
    if (line.trim() === "") continue;
    const zone = zoneOf(line, { isFirst: parts.length === 0, isFenced: fence !== "" });
    const cleaned = zone === "frame" ? line : line.replaceAll(URL, lastUrlSegment);
    if (zone === "prose") parts.push(...proseAndCode(cleaned));
    else parts.push({ zone, text: cleaned });
  }
  return parts;
}

function zoneOf(line: string, found: { isFirst: boolean; isFenced: boolean }): Zone {
  const isShort = line.length <= MAX_FORMATTED_LINE;
  if (isShort && FRAMES.some((frame) => frame.test(line))) return "frame";
  if (found.isFenced) return "block";
  if (found.isFirst) return "title";
  if (INDENTED.test(line)) return "block";
  return isShort && FORM.some((part) => part.test(line)) ? "form" : "prose";
}

/** Longest line that can be a stack frame or a field of a form for bug reports. */
const MAX_FORMATTED_LINE = 400;

const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const FENCE = /^\s*(?:>\s*)?(```+|~~~+)/;
const INDENTED = /^(?: {4,}|\t)\S/;

const URL = /\bhttps?:\/\/[^\s)>\]"']+/g;
const LAST_SEGMENT = /\/([^/#?]+)\/?(?:[#?].*)?$/;

/** Keeps only the last segment of a URL, because it is the only part that may name something in the code. */
function lastUrlSegment(url: string): string {
  return LAST_SEGMENT.exec(url)?.[1] ?? "";
}

/** Words in the headings of forms for bug reports, as regular expressions. */
const FORM_WORDS =
  `expected actual current observed steps? reproduc\\w* repro environment versions? description describe
  context screenshots? checklist information info platform system logs? output code additional summary solution bug issue
  problem feature request details? related proposal motivation alternatives? configuration example`
    .split(/\s+/)
    .join("|");

/** Matches lines that come from a form for bug reports: check boxes, headings, and version or platform fields. */
const FORM: readonly RegExp[] = [
  /^\s*(?:[-*+]\s*)?\[[ xX*]?\]\s/,
  /^\s*(?:#{1,6}|\*\*)\s*(?:what|how|which|when|where)\s(?:is|are|did|does|do|version|features?|happen|you|file)\b/i,
  new RegExp(String.raw`^\s*(?:#{1,6}|\*\*)\s*.{0,60}\b(?:${FORM_WORDS})\b.{0,40}$`, "i"),
  /^\s*(?:[-*+]\s*)?(?:\*\*|__)?(?:os|operating system|platform|distro|(?:[\w.+#-]+ )?versions?|browser|compiler|node|npm|python|ruby|php|java|jdk|go|rustc|kernel|arch|architecture|database|shell|terminal|editor|ide)\b[\w ./()+-]{0,24}(?:\*\*|__)?\s*[:=]\s*\S.{0,80}$/i,
];

/** Patterns of stack trace lines, by language. */
const FRAMES: readonly RegExp[] = [
  // In a stack trace, Python prints lines such as `File "a.py", line 3`.
  /^\s*File "[^"]+", line \d+/,
  // Stack trace lines of JavaScript, Java, Kotlin and C#, and the source locations of Rust, start with `at`.
  /^\s*at\s+\S.*[:(]\d+/,
  /^\s*at [\w.$<>]+\([\w ]*\)/,
  // PHP, gdb and sanitizers number the lines of a stack trace as `#0`.
  /^\s*#\d+\s+\S/,
  // Rust numbers the functions of a stack trace as `12: crate::module::name`.
  /^\s*\d+:\s+(?:0x[0-9a-f]+ - )?[\w<>:$ ]+::/,
  // In a stack trace, Ruby prints lines such as `from a.rb:3:in`.
  /^\s*(?:from\s+)?[\w./-]+\.rb:\d+:in /,
  // In a stack trace, Go prints lines such as `a.go:3 +0x1b`.
  /^\s*[\w./@-]+\.go:\d+ \+0x/,
];

const CODE = /`([^`\n]+)`/g;

function proseAndCode(line: string): IssuePart[] {
  const parts: IssuePart[] = [];
  let at = 0;
  for (const { index, 0: whole, 1: code = "" } of line.matchAll(CODE)) {
    if (index > at) parts.push({ zone: "prose", text: line.slice(at, index) });
    parts.push({ zone: "code", text: code });
    at = index + whole.length;
  }
  if (at < line.length) parts.push({ zone: "prose", text: line.slice(at) });
  return parts;
}
