import type { Line } from "../tool.ts";

const ERROR_LINE =
  /^\s{0,4}(?:(?:[\w./+-]{1,60}: )?(?:fatal error|internal error|error|fatal|critical)(?:\[[\w:-]{1,40}\])?: |\[(?:error|fatal|!)\] ?:? ?)(\S.*)$/i;
const CAPITAL_LINE = /^\s{0,4}(?:ERROR|FATAL|CRITICAL)(?: -| ) *(\S.*)$/;
const SHELL =
  /^(?:[\w./-]{1,100}: )?(?:line )?(?:\d{1,7}: )?([^\s:][^:]{0,200}: (?:command not found|not found|No such file or directory|Permission denied))$/;
/** What a C or C++ program or its shell says when it goes down: an exception that nobody caught, a broken heap, a signal. */
const CRASH =
  /^(?:(?:libc\+\+abi: )?(terminat(?:e called|ing)\b.*)|((?:free|malloc|realloc|munmap_chunk|corrupted|double free)\b.{0,20}(?:\(\)|corruption|size).{0,100}|\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*.*|pure virtual method called)|(?:[\w./-]{1,100}: line \d{1,7}: +\d{1,9} )?((?:Segmentation fault|Bus error|Floating point exception|Illegal instruction)\b.{0,300}))$/;
/** Below an exception that nobody caught, what it says. */
const WHAT = /^\s{1,8}what\(\): +(\S.*)$/;

/** Closing words of runners and CI systems that say only that something failed. */
const NO_CAUSE =
  /^(?:process completed with exit code|command failed with exit code|exit(?:ed)? (?:with )?(?:code|status)|the process '.*' failed with exit code|\d+ errors?\b|aborting due to|build failed|job failed|script returned exit code|failed to run|could not compile)/i;

const SHELL_ENDS = ["not found", "No such file or directory", "Permission denied"];

/** The message of a line that says "error" itself and names no place; undefined for any other line. */
export function errorLine(line: Line): string | undefined {
  const text = line.text;
  if (text.length > 2_000) return undefined;
  const crash = CRASH.exec(text);
  if (crash !== null) return (crash[1] ?? crash[2] ?? crash[3] ?? "").replaceAll(/ {2,}/g, " ");
  const match = ERROR_LINE.exec(text) ?? CAPITAL_LINE.exec(text) ?? shellError(text);
  const message = match?.[1]?.trim() ?? (line.level === "error" ? text.trim() : undefined);
  if (message === undefined || message.length < 3 || NO_CAUSE.test(message) || isCode(message))
    return undefined;
  return message;
}

/** The error with what a line below it says more, where it does. */
export function withReason(message: string, text: string): string | undefined {
  const reason = message.startsWith("terminate called") ? WHAT.exec(text)?.[1] : undefined;
  return reason === undefined ? undefined : `${message}: ${reason.trimEnd()}`;
}

/** Looks at the line's end first: most lines are not the shell's. */
function shellError(text: string): RegExpExecArray | null {
  return SHELL_ENDS.some((end) => text.endsWith(end)) ? SHELL.exec(text) : null;
}

/** A field of a program's text (`error: string,`) is one word, or ends as code does. */
function isCode(message: string): boolean {
  return !message.includes(" ") || /[,;{(]$/.test(message);
}
