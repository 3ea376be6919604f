import { again, argumentsIn, callIn, type ToolCall } from "./calls.ts";

/** A line of a reply of `grep`, as an agent reads it. */
export interface GrepRow {
  readonly path: string;
  readonly line: number;
  readonly isMatch: boolean;
  readonly text: string;
  /** The characters left out before and after the text, and the call that shows them. */
  readonly before: number;
  readonly after: number;
  readonly rest?: ToolCall;
}

export interface GrepPage {
  readonly rows: readonly GrepRow[];
  /** The number of the last match on the page and of all matches, if the page says that there are more. */
  readonly counted?: { readonly last: number; readonly total: number; readonly atLeast: boolean };
  readonly contextCut: number;
  readonly next?: ToolCall;
}

interface JsonRow {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly context?: true;
  readonly characters_before?: number;
  readonly characters_left_out?: number;
  readonly column?: number;
}

interface JsonPage {
  readonly matches: readonly JsonRow[];
  readonly shown: number;
  readonly total: number;
  readonly total_at_least?: true;
  readonly cursor?: string;
  readonly context_lines_cut?: number;
}

/** Parses a page; `seen` is the number of matches on earlier pages. */
export function readGrepPage(text: string, call: ToolCall, seen: number): GrepPage {
  if (call.args["response_format"] === "json") return readJson(JSON.parse(text) as JsonPage, call, seen);
  const note =
    /^\[(?:matches \d+-(\d+) of|context only, (\d+) of) (at least )?(\d+)(.*?); more: ([^,\]]*)/m.exec(text);
  const rows = readRows(text);
  if (note === null) return { rows, contextCut: 0 };
  const [, last, lastBefore, atLeast, total, cut = "", words = ""] = note;
  return {
    rows,
    counted: { last: Number(last ?? lastBefore), total: Number(total), atLeast: atLeast !== undefined },
    contextCut: Number(/, (\d+) lines? of context cut/.exec(cut)?.[1] ?? 0),
    next: again(call, argumentsIn(words)),
  };
}

function readJson(page: JsonPage, call: ToolCall, seen: number): GrepPage {
  const rows = page.matches.map((row): GrepRow => {
    const { path, line, column, characters_before: before = 0, characters_left_out: leftOut = 0 } = row;
    const rest = { tool: "read", args: { file_path: path, start_line: line, column } };
    return {
      path,
      line,
      isMatch: row.context === undefined,
      text: row.text,
      before,
      after: leftOut - before,
      ...(column === undefined ? {} : { rest }),
    };
  });
  if (page.cursor === undefined) return { rows, contextCut: 0 };
  return {
    rows,
    counted: { last: seen + page.shown, total: page.total, atLeast: page.total_at_least === true },
    contextCut: page.context_lines_cut ?? 0,
    next: again(call, { cursor: page.cursor }),
  };
}

function readRows(text: string): GrepRow[] {
  let path = "";
  return text.split("\n").flatMap((row) => {
    const [, named] = /^(?:## )?([^\s:`[]+\.txt)$/.exec(row) ?? [];
    if (named !== undefined) path = named;
    const [, file = path, line, sign, content = ""] =
      /^(?:([^\s:]+\.txt):| )?(\d+)([:-]) (.*)$/.exec(row) ?? [];
    return line === undefined
      ? []
      : [{ path: file, line: Number(line), isMatch: sign === ":", ...readText(content) }];
  });
}

function readText(content: string): Pick<GrepRow, "text" | "before" | "after" | "rest"> {
  const [, front = "0", frontCall, middle = ""] =
    /^(?:\(\+(\d+) characters(?:: ([^)]*))?\) …)?(.*)$/.exec(content) ?? [];
  const [, text = "", end = "0", endCall] =
    /^(.*?)(?:… \(\+(\d+) characters(?:: ([^)]*))?\))?$/.exec(middle) ?? [];
  const words = endCall ?? frontCall;
  return {
    text,
    before: Number(front),
    after: Number(end),
    ...(words === undefined ? {} : { rest: callIn(words) }),
  };
}
