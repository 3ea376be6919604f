import { again, argumentsIn, type ToolCall } from "./calls.ts";
import type { ListReply } from "./check-list.ts";

/** The note of a page, in text and in Markdown, that there is more. */
function moreIn(text: string, pattern: RegExp, call: ToolCall): Pick<ListReply, "left" | "next"> {
  const [, count = "0", words] = pattern.exec(text) ?? [];
  return { left: Number(count), ...(words === undefined ? {} : { next: again(call, argumentsIn(words)) }) };
}

interface HitsJson {
  readonly results: readonly { readonly path: string; readonly line_start: number }[];
  readonly total_count: number;
  readonly cursor?: string;
}

/** Parses a reply of `search_code` or `locate_symbol`; `seen` is the number of results on earlier pages. */
export function readHits(text: string, call: ToolCall, seen: number): ListReply {
  if (call.args["response_format"] === "json") {
    const { results, total_count: total, cursor } = JSON.parse(text) as HitsJson;
    return {
      entries: results.map(({ path, line_start: line }) => `${path}:${line}`),
      left: total - seen - results.length,
      ...(cursor === undefined ? {} : { next: again(call, { cursor }) }),
    };
  }
  const more = moreIn(text, /^\+(\d+) more[^:]*: (.*)$/m, call);
  if (call.args["response_format"] === "text") {
    const places = [...text.matchAll(/^([^\s:]+):(\d+)(?:-\d+)?(?= |$)/gm)];
    return { entries: places.map(([, path, line]) => `${path}:${line}`), ...more };
  }
  const rows = [...text.matchAll(/^\| ([^|\s]+\.\w+) \| (\d+)-\d+ \|/gm)];
  const sections = [...text.matchAll(/^\*\*File\*\*: `([^`]+)`\n\*\*Lines\*\*: (\d+)/gm)];
  return { entries: [...rows, ...sections].map(([, path, line]) => `${path}:${line}`), ...more };
}

interface OutlineNode {
  readonly name: string;
  readonly line_start: number;
  readonly children?: readonly OutlineNode[];
}

interface OutlineJson {
  readonly symbols: readonly OutlineNode[];
  readonly symbols_left_out?: number;
  readonly cursor?: string;
}

/** Parses a reply of `get_file_outline`. The file has at most one symbol per line, so a line number identifies a symbol. */
export function readOutline(text: string, call: ToolCall): ListReply {
  if (call.args["response_format"] === "json") {
    const { symbols, symbols_left_out: left = 0, cursor } = JSON.parse(text) as OutlineJson;
    const linesOf = (nodes: readonly OutlineNode[]): string[] =>
      nodes.flatMap(({ line_start: line, children = [] }) => [String(line), ...linesOf(children)]);
    return {
      entries: linesOf(symbols),
      left,
      ...(cursor === undefined ? {} : { next: again(call, { cursor }) }),
    };
  }
  const more = moreIn(text, /^… (\d+) more of \d+ symbols \([^)]*\): (.*)$/m, call);
  const row = call.args["response_format"] === "text" ? /^ *(\d+) \S/gm : /^ *- .* \((\d+)-\d+\)/gm;
  return { entries: [...text.matchAll(row)].map(([, line = ""]) => line), ...more };
}

interface ToolsJson {
  readonly tools: readonly { readonly name: string }[];
  readonly scripts?: readonly string[];
  readonly targets?: readonly { readonly command: string; readonly names: readonly string[] }[];
  readonly packages?: readonly { readonly folder: string }[];
  readonly left_out?: number;
  readonly cursor?: string;
}

/** Parses a reply of `build` with action list: the names of everything that can be run. */
export function readTools(text: string, call: ToolCall): ListReply {
  if (call.args["response_format"] === "json") {
    const { tools, scripts = [], targets = [], packages = [], ...rest } = JSON.parse(text) as ToolsJson;
    const entries = [
      ...tools.map(({ name }) => name),
      ...scripts,
      ...targets.flatMap(({ command, names }) => names.map((name) => `${command} ${name}`)),
      ...packages.map(({ folder }) => folder),
    ];
    const next = rest.cursor === undefined ? {} : { next: again(call, { cursor: rest.cursor }) };
    return { entries, left: rest.left_out ?? 0, ...next };
  }
  const entries = text.split("\n").flatMap((row) => {
    const line = row.replace(/^- /, "");
    const [, title, names = ""] = /^(scripts|targets|packages \(as cwd\)|others): (.*)$/.exec(line) ?? [];
    if (title !== undefined) return names.split(/, (?![^{]*\})/).flatMap((name) => unfolded(name));
    return /^([\w.-]+): .* \(.*\)$/.exec(line)?.[1] ?? [];
  });
  return { entries, ...moreIn(text, /^… (\d+) more \([^)]*\): (.*)$/m, call) };
}

/** Expands `cargo.{build,test}` and `make {a,b}` into two names each. */
function unfolded(name: string): string[] {
  const [, before = "", inner] = /^(.*)\{(.*)\}$/.exec(name) ?? [];
  return inner === undefined ? [name] : inner.split(",").map((one) => `${before}${one}`);
}

interface GrepJson {
  readonly matches: readonly { readonly path: string; readonly line?: number }[];
  readonly total: number;
  readonly cursor?: string;
}

/** Parses a reply of `grep` without context lines; `seen` is the number of matches on earlier pages. */
export function readGrep(text: string, call: ToolCall, seen: number): ListReply {
  if (call.args["response_format"] === "json") {
    const { matches, total, cursor } = JSON.parse(text) as GrepJson;
    return {
      entries: matches.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`)),
      left: total - seen - matches.length,
      ...(cursor === undefined ? {} : { next: again(call, { cursor }) }),
    };
  }
  const [, last = "", total = "", words] =
    /^\[(?:matches|files) \d+-(\d+) of (\d+); more: ([^,\]]*)/m.exec(text) ?? [];
  const more = {
    left: words === undefined ? 0 : Number(total) - Number(last),
    ...(words === undefined ? {} : { next: again(call, argumentsIn(words)) }),
  };
  const entries: string[] = [];
  let path = "";
  for (const row of text.split("\n")) {
    const [, file, line] = /^([^\s:`]+):(\d+): /.exec(row) ?? [];
    const [, below] = /^ ?(\d+): /.exec(row) ?? [];
    const [, named] = /^(?:## |- `)?([^\s:`]+\.ts)`?(?:: \d+)?$/.exec(row) ?? [];
    if (file !== undefined) entries.push(`${file}:${line}`);
    else if (below !== undefined) entries.push(`${path}:${below}`);
    else if (named !== undefined) {
      path = named;
      if (call.args["output"] !== "lines") entries.push(named);
    }
  }
  return { entries, ...more };
}
