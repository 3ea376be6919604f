import type { Diagnostic } from "../../../src/model/diagnostic.ts";

/** A diagnostic as a reader knows it from the list. */
export interface Read {
  readonly head: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** The text that a list must contain for a diagnostic: severity, tool, code and message, without its own place in the message. */
export function asRead(one: Diagnostic, style: { readonly letters: boolean; readonly tools: boolean }): Read {
  const words = [
    ...(style.letters ? [one.severity[0]?.toUpperCase()] : []),
    ...(style.tools ? [one.tool] : []),
    ...(one.code ? [one.code] : []),
  ];
  const head = `${words.join(" ")}${words.length > 0 ? ": " : ""}${one.message.replace(`${one.file}:${one.line}: `, "")}`;
  return { head, file: one.file, line: one.line };
}

/** Returns the full path of a name in the list. */
type Resolve = (name: string) => string;

interface Context {
  readonly path: Resolve;
  readonly head: string;
  /** The message of lines that are marked with a `+`. */
  readonly other: string;
  readonly folder: string;
}

/** Parses a rendered list. It knows nothing of the diagnostics except which names are files. */
export function readList(text: string, files: ReadonlySet<string>): Read[] {
  const lines = text === "" ? [] : whole(text.split("\n"));
  const base = /^in ([^{}]*[/\\])?(?:\{(.*[/\\])\})?(?:\*(\.\w+))?$/.exec(lines[0] ?? "");
  if (base !== null) lines.shift();
  const [, folder = "", defaultFolder = "", ending = ""] = base ?? [];
  const path: Resolve = (name) => {
    const isDefault = defaultFolder !== "" && !/[/\\]/.test(name);
    return (
      upFrom(
        folder,
        isDefault ? defaultFolder + name : name.replace(/^\.[/\\]/, defaultFolder === "" ? "$&" : ""),
      ) + ending
    );
  };
  const found: Read[] = [];
  for (let at = 0; at < lines.length;) {
    const top = lines[at] ?? "";
    let end = at + 1;
    while (lines[end]?.startsWith(" ")) end++;
    const below = lines.slice(at + 1, end);
    const file = top.startsWith('"') ? unquoted(top) : path(top);
    if (below.length > 0 && files.has(file)) found.push(...readFile(file, below));
    else if (below.length === 0) found.push({ head: top, file: undefined, line: undefined });
    else found.push(...readGroup(top, below, path));
    at = end;
  }
  return found;
}

/** Restores messages with a common beginning: `Incompatible …` with ` … types` below it is `Incompatible types`. */
function whole(lines: readonly string[]): string[] {
  const all: string[] = [];
  let start: string | undefined;
  for (const [index, line] of lines.entries()) {
    if (indentOf(line) <= indentOf(start)) start = undefined;
    if (
      line.endsWith("…") &&
      indentOf(lines[index + 1]) > indentOf(line) &&
      lines[index + 1]?.trimStart().startsWith("… ")
    )
      start = line;
    else if (start === undefined) all.push(line);
    else if (line.trimStart().startsWith("… ")) all.push(start.slice(0, -1) + line.trimStart().slice(2));
    else all.push(line.slice(1));
  }
  return all;
}

/** Resolves each `../`. */
function upFrom(folder: string, name: string): string {
  const up = /^\.\.[/\\]/.exec(name);
  if (up === null || folder === "") return folder + name;
  return upFrom(folder.replace(/[^/\\]*[/\\]$/, ""), name.slice(3));
}

/** Parses the messages below a file: `4,9 head`, or the head with its places on the next line. */
function readFile(file: string, lines: readonly string[]): Read[] {
  const found: Read[] = [];
  let message = "";
  let head = "";
  for (const [index, line] of lines.entries()) {
    const isHead = indentOf(lines[index + 1]) > indentOf(line);
    if (indentOf(line) > 1 && isHead) head = withGiven(message, line.trim()) ?? message;
    else if (indentOf(line) > 1)
      for (const { at, values } of readPlaces(line.trim(), countGaps(head)))
        found.push({ head: filled(head, values), file, line: at });
    else {
      const numbers = /^ (\d[\d,:-]*) (.*)$/s.exec(line);
      head = message = numbers?.[2] ?? line.slice(1);
      if (numbers !== null) for (const at of linesOf(numbers[1] ?? "")) found.push({ head, file, line: at });
      else if (!isHead) found.push({ head, file, line: undefined });
    }
  }
  return found;
}

function indentOf(line = ""): number {
  return line.length - line.trimStart().length;
}

/** Fills in the values that `…2=assign` or `…1-2=Test_…|3` gives; the remaining gaps are renumbered. */
function withGiven(message: string, line: string): string | undefined {
  const [, numbers = "", list = ""] = /^…([\d,-]*)=(.*)$/.exec(line) ?? [];
  if (list === "") return undefined;
  const gaps = linesOf(numbers || "1");
  const values = valuesOf(list, gaps.length);
  let open = 0;
  const fills = Array.from({ length: countGaps(message) }, (_, index) => {
    const given = values[gaps.indexOf(index + 1)];
    return { text: (given ?? "…").replace("…", () => `…${++open}`), isOpen: given === undefined };
  });
  return inGaps(message, (index, defaultFolder) => {
    const { text = "", isOpen } = fills[index] ?? {};
    return isOpen && defaultFolder !== undefined ? `${text}{${defaultFolder}}` : text;
  });
}

/** Splits `Function '…' {is too long, +has too many statements}` into its two messages. */
function messagesOf(text: string): [head: string, other: string] {
  const [, start = "", one = "", other = "", end = ""] = /^(.*)\{(.*), \+(.*)\}(.*)$/.exec(text) ?? [];
  return other === "" ? [text, text] : [start + one + end, start + other + end];
}

function readGroup(message: string, lines: readonly string[], path: Resolve): Read[] {
  const found: Read[] = [];
  const [head, other] = messagesOf(message);
  let context: Context = { path, head, other, folder: "" };
  let depth = 1;
  for (const [index, line] of lines.entries()) {
    const indent = indentOf(line);
    if (indent < depth) {
      depth = indent;
      context = { ...(indent > 1 ? context : { path, head, other }), folder: "" };
    }
    const text = line.slice(indent);
    const isHead = indentOf(lines[index + 1]) > indent;
    const given = isHead ? withGiven(head, text) : undefined;
    if (given !== undefined)
      context = { path, head: given, other: withGiven(other, text) ?? other, folder: "" };
    else if (isHead) context = { ...context, folder: text };
    else found.push(...readLine(text, context));
    if (isHead) depth = indent + 1;
  }
  return found;
}

/** Parses `folder/: item; item`, `folder/*_test.go: stem:3; stem:4`, `folder/{a,b}.ts`, or one item. */
function readLine(text: string, { path, head, other, folder }: Context): Read[] {
  const shared = /^((?:[^":;{}*]|:(?=\\))*[/\\])?(?:\*([^:;]*))?: /.exec(text);
  const start = folder + (shared?.[1] ?? "");
  const ending = shared?.[2] ?? "";
  const read = (list: string, file: string | undefined): Read[] =>
    readPlaces(list, countGaps(head)).map(({ at, isOther, values }) => ({
      head: filled(isOther ? other : head, values),
      file,
      line: at,
    }));
  if (/^(?:…=|:\d)/.test(text)) return read(text.replace(/^:/, ""), undefined);
  return split(text.slice(shared?.[0].length ?? 0), "; ").flatMap((item) =>
    readItem(item).flatMap(({ name, list, alone }) => {
      const file = name.startsWith('"') ? unquoted(name) : path(start + name + ending);
      return list === "" && alone === ""
        ? [{ head, file, line: undefined }]
        : read(list || `…=${alone}`, file);
    }),
  );
}

function readItem(item: string): { name: string; list: string; alone: string }[] {
  const match = /^("(?:[^"\\]|\\.)*"|.+?)(?::(\+?\d.*)|: (.*))?$/s.exec(item);
  const [, name = "", list = "", alone = ""] = match ?? [];
  const braces = /^(.*)\{([^{}]*)\}(.*)$/.exec(name);
  if (braces === null || name.startsWith(`"`) || list !== "" || alone !== "") return [{ name, list, alone }];
  return (braces[2] ?? "").split(",").map((stem) => ({
    name: `${braces[1]}${stem}${braces[3]}`,
    list,
    alone,
  }));
}

interface ReadPlace {
  readonly at: number | undefined;
  readonly isOther: boolean;
  readonly values: readonly string[];
}

/** Parses `4,7-9 value, 12:5 other`, `4 value & other;12 third`, or `…=value, other`. */
function readPlaces(text: string, gaps: number): ReadPlace[] {
  const found: ReadPlace[] = [];
  const hasLines = !text.startsWith("…=");
  let rest = hasLines ? text : text.slice(2);
  while (rest !== "") {
    const numbers =
      /^\+?\d+(?::\d+)?(?:-\d+)?(?:,\+?\d+(?::\d+)?(?:-\d+)?)*(?=[ ,;]|$)/.exec(rest)?.[0] ?? "";
    const isBare = gaps === 0 || rest[numbers.length] !== " ";
    const isNumbered = hasLines && numbers !== "";
    if (isNumbered) rest = rest.slice(numbers.length);
    const [value = ""] = isNumbered && isBare ? [""] : splitEntries(rest, isNumbered);
    rest = rest.slice(value.length).replace(/^(?:, ?|;)/, "");
    for (const one of gaps === 1 && isNumbered ? split(value.trim(), " & ") : [value.trim()]) {
      const values = isNumbered && isBare ? [] : valuesOf(one, gaps);
      for (const part of isNumbered ? numbers.split(",") : [""])
        for (const at of part === "" ? [undefined] : linesOf(part.replace("+", "")))
          found.push({ at, isOther: part.startsWith("+"), values });
    }
  }
  return found;
}

/** Splits values. A value ends before a semicolon or comma with a number after it or, in a list without line numbers, before any comma. */
function splitEntries(text: string, isNumbered: boolean): string[] {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\" && quoted) at++;
    else if (text[at] === '"' && (quoted || /[ |]|^$/.test(text[at - 1] ?? ""))) quoted = !quoted;
    else if (!quoted && (isNumbered ? /^(?:;|, ?)\+?\d/ : /^, /).test(text.slice(at, at + 4)))
      return [text.slice(0, at), text.slice(at)];
  }
  return [text];
}

function valuesOf(text: string, gaps: number): string[] {
  if (gaps === 1) return [unquoted(text)];
  const parts = split(text, "|");
  return (parts.length === gaps ? parts : parts.flatMap((part) => split(part, " "))).map(unquoted);
}

/** Splits a text at a separator outside quotes. */
function split(text: string, sign: string): string[] {
  const parts = [""];
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const part = parts.at(-1) ?? "";
    if (!quoted && text.startsWith(sign, at)) {
      parts.push("");
      at += sign.length - 1;
      continue;
    }
    if (text[at] === '"' && (quoted || part === "" || /[ |/\\:]$/.test(part))) quoted = !quoted;
    const length = quoted && text[at] === "\\" ? 2 : 1;
    parts[parts.length - 1] = part + text.slice(at, at + length);
    at += length - 1;
  }
  return parts;
}

function linesOf(numbers: string): number[] {
  return numbers.split(",").flatMap((part) => {
    const [from = 0, to = from] = (part.split(":")[0] ?? "").split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, step) => from + step);
  });
}

/** Fills gaps by their numbers, or else in their order. */
function countGaps(head: string): number {
  const numbers = [...head.matchAll(/…(\d*)/g)].map(([, number], at) => Number(number || at + 1));
  return Math.max(0, ...numbers);
}

/** A gap without a value has the default value. */
function filled(head: string, values: readonly string[]): string {
  return inGaps(head, (index, defaultFolder) => values[index] ?? defaultFolder ?? "…");
}

/** Replaces each gap: `…`, `…2` or, with a default value, `…{assign}`. */
function inGaps(head: string, fill: (index: number, defaultFolder?: string) => string): string {
  let at = 0;
  return head.replaceAll(/…(\d*)(?:\{([^{}]*)\})?/g, (_gap, number: string, defaultFolder?: string) =>
    fill(Number(number || ++at) - 1, defaultFolder),
  );
}

function unquoted(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? String(JSON.parse(text)) : text;
}
