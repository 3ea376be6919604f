const CONTEXT_LINES = 3;

/** Formats the change of one file as a unified diff with a single hunk, because the edits of a configuration file are close together. */
export function unifiedDiff(file: string, before: string | undefined, after: string | undefined): string {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT_LINES);
  const tail = Math.max(0, end - CONTEXT_LINES);
  const head = [
    `--- ${before === undefined ? "(no file)" : file}`,
    `+++ ${after === undefined ? "(no file)" : file}`,
    `@@ -${span(old, from, tail)} +${span(now, from, tail)} @@`,
  ];
  const body = [
    ...old.slice(from, start).map((line) => ` ${line}`),
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...now.slice(start, now.length - end).map((line) => `+${line}`),
    ...old.slice(old.length - end, old.length - tail).map((line) => ` ${line}`),
  ];
  return `${[...head, ...body].join("\n")}\n`;
}

/** Splits a text into lines, ignoring the final line end. */
function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function span(lines: readonly string[], from: number, tail: number): string {
  const count = lines.length - from - tail;
  return `${count === 0 ? from : from + 1},${count}`;
}
