import type { Line } from "../tool.ts";

const ERROR_LINE =
  /^\s{0,4}(?:(?:[\w./+-]{1,60}: )?(?:fatal error|internal error|error|fatal|critical)(?:\[[\w:-]{1,40}\])?: |\[(?:error|fatal|!)\] ?:? ?)(\S.*)$/i;
const CAPITAL_LINE = /^\s{0,4}(?:ERROR|FATAL|CRITICAL)(?: -| ) *(\S.*)$/;
const SHELL =
  /^(?:[\w./@+-]{1,300}: )?(?:line )?(?:\d{1,7}: )?(?:\/[\w./@+-]{1,300}: )?([^\s:][^:]{0,200}: (?:command not found|not found|No such file or directory|Permission denied))$/;
/** Matches the output of a crashing C or C++ program or of its shell: an uncaught exception, a corrupted heap, a signal. */
const CRASH =
  /^(?:(?:libc\+\+abi: )?(terminat(?:e called|ing)\b.*)|((?:free|malloc|realloc|munmap_chunk|corrupted|double free)\b.{0,20}(?:\(\)|corruption|size).{0,100}|\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*.*|pure virtual method called)|(?:[\w./-]{1,100}: line \d{1,7}: +\d{1,9} )?((?:Segmentation fault|Bus error|Floating point exception|Illegal instruction)\b.{0,300}))$/;
/** Matches the line with the message of an uncaught C++ exception. */
const WHAT = /^\s{1,8}what\(\): +(\S.*)$/;

/** Matches closing lines of test runners and CI systems that only report that something failed, without a cause. */
const NO_CAUSE =
  /^(?:process completed with exit code|command failed with exit code|exit(?:ed)? (?:with )?(?:code|status)|the process '.*' failed with exit code|\d+ errors?\b|aborting due to|build failed|job failed|script returned exit code|failed to run|could not compile)/i;

const SHELL_ENDS = ["not found", "No such file or directory", "Permission denied"];

/** Returns the message of a line that is marked as an error but has no location; undefined for any other line. */
export function errorLine(line: Line): string | undefined {
  const text = line.text;
  if (text.length > 2_000) return undefined;
  const crash = CRASH.exec(text);
  if (crash !== null) return (crash[1] ?? crash[2] ?? crash[3] ?? "").replaceAll(/ {2,}/g, " ");
  const match = ERROR_LINE.exec(text) ?? CAPITAL_LINE.exec(text) ?? readShellError(text);
  const message = match?.[1]?.trim() ?? (line.level === "error" ? text.trim() : undefined);
  if (message === undefined || message.length < 3 || NO_CAUSE.test(message) || isCode(message))
    return undefined;
  return message;
}

/** Appends the explanation on the next line to an error, or returns undefined if that line explains nothing. */
export function withReason(message: string, text: string): string | undefined {
  const reason = message.startsWith("terminate called") ? WHAT.exec(text)?.[1] : undefined;
  return reason === undefined ? undefined : `${message}: ${reason.trimEnd()}`;
}

/**
 * Reads an error message of a shell. It checks the end of the line first, because most lines do not come from a shell.
 */
function readShellError(text: string): RegExpExecArray | null {
  return SHELL_ENDS.some((end) => text.endsWith(end)) ? SHELL.exec(text) : null;
}

/**
 * Returns whether the text after `error:` is source code (`error: string,`) rather than a message: it is a single word
 * or ends like code.
 */
function isCode(message: string): boolean {
  return !message.includes(" ") || /[,;{(]$/.test(message);
}
