import type { Diagnostic } from "../../src/model/diagnostic.ts";

/** What a reader knows of a diagnostic after reading a list. */
export interface Read {
  readonly head: string;
  readonly file: string | undefined;
  readonly line: number | undefined;
}

/** A diagnostic as a list must give it back: the message under its severity, tool and code. */
export function asRead(one: Diagnostic, style: { readonly letters: boolean; readonly tools: boolean }): Read {
  const words = [
    ...(style.letters ? [one.severity[0]?.toUpperCase()] : []),
    ...(style.tools ? [one.tool] : []),
    ...(one.code ? [one.code] : []),
  ];
  const head = `${words.join(" ")}${words.length > 0 ? ": " : ""}${one.message}`;
  return { head, file: one.file, line: one.line };
}

/** The whole path of a name in the list. */
type Resolve = (name: string) => string;

interface Context {
  readonly path: Resolve;
  readonly head: string;
  readonly values: readonly string[] | undefined;
  readonly folder: string;
}

/** Reads a rendered list back. Of the diagnostics it knows only which names are files. */
export function readList(text: string, files: ReadonlySet<string>): Read[] {
  const lines = text === "" ? [] : text.split("\n");
  const base = /^in (.*[/\\])?(?:\*(\.\w+))?$/.exec(lines[0] ?? "");
  if (base !== null) lines.shift();
  const path: Resolve = (name) => upFrom(base?.[1] ?? "", name) + (base?.[2] ?? "");
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

/** Each `../` takes a folder away. */
function upFrom(folder: string, name: string): string {
  const up = /^\.\.[/\\]/.exec(name);
  if (up === null || folder === "") return folder + name;
  return upFrom(folder.replace(/[^/\\]*[/\\]$/, ""), name.slice(3));
}

/** Messages below a file: `4,9 head`, or the head and its places on the next line. */
function readFile(file: string, lines: readonly string[]): Read[] {
  const found: Read[] = [];
  let head = "";
  for (const line of lines)
    if (line.startsWith("  "))
      for (const { at, values } of readPlaces(line.trim(), gapsIn(head)))
        found.push({ head: filled(head, values), file, line: at });
    else {
      const numbers = /^ (\d[\d,:-]*) (.*)$/s.exec(line);
      head = numbers?.[2] ?? line.slice(1);
      const next = lines[lines.indexOf(line) + 1];
      if (numbers !== null) for (const at of linesOf(numbers[1] ?? "")) found.push({ head, file, line: at });
      else if (next?.startsWith("  ") !== true) found.push({ head, file, line: undefined });
    }
  return found;
}

function readGroup(head: string, lines: readonly string[], path: Resolve): Read[] {
  const found: Read[] = [];
  let context: Context = { path, head, values: undefined, folder: "" };
  let depth = 1;
  for (const [index, line] of lines.entries()) {
    const indent = line.length - line.trimStart().length;
    if (indent < depth) {
      depth = indent;
      context = { path, head, values: indent > 1 ? context.values : undefined, folder: "" };
    }
    const text = line.slice(indent);
    const next = lines[index + 1] ?? "";
    const isHead = next.length - next.trimStart().length > indent;
    const given = /^…(?:1-\d+)?=(.*)$/.exec(text);
    if (isHead && given !== null)
      context = { ...context, values: valuesOf(given[1] ?? "", gapsIn(head)), folder: "" };
    else if (isHead) context = { ...context, folder: text };
    else found.push(...readLine(text, context));
    if (isHead) depth = indent + 1;
  }
  return found;
}

/** `folder/: item; item`, `folder/*_test.go: stem:3; stem:4`, `folder/{a,b}.ts`, or one item. */
function readLine(text: string, { path, head, values, folder }: Context): Read[] {
  const shared = /^((?:[^":;{}*]|:(?=\\))*[/\\])?(?:\*([^:;]*))?: /.exec(text);
  const start = folder + (shared?.[1] ?? "");
  const ending = shared?.[2] ?? "";
  if (/^(?:…=|:\d)/.test(text))
    return readPlaces(text.replace(/^:/, ""), gapsIn(head)).map((one) => ({
      head: filled(head, one.values),
      file: undefined,
      line: one.at,
    }));
  return split(text.slice(shared?.[0].length ?? 0), "; ").flatMap((item) =>
    readItem(item).flatMap(({ name, list, alone }) => {
      const file = name.startsWith('"') ? unquoted(name) : path(start + name + ending);
      if (list === "" && alone === "") return [{ head: filled(head, values ?? []), file, line: undefined }];
      return readPlaces(list || `…=${alone}`, values === undefined ? gapsIn(head) : 0).map((place) => ({
        head: filled(head, values ?? place.values),
        file,
        line: place.at,
      }));
    }),
  );
}

function readItem(item: string): { name: string; list: string; alone: string }[] {
  const match = /^("(?:[^"\\]|\\.)*"|.+?)(?::(\d.*)|: (.*))?$/s.exec(item);
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
  readonly values: readonly string[];
}

/** `4,7-9 value, 12:5 other`, or `…=value, other`. */
function readPlaces(text: string, gaps: number): ReadPlace[] {
  const found: ReadPlace[] = [];
  const hasLines = !text.startsWith("…=");
  let rest = hasLines ? text : text.slice(2);
  while (rest !== "") {
    const numbers = /^\d+(?::\d+)?(?:-\d+)?(?:,\d+(?::\d+)?(?:-\d+)?)*(?= |,|$)/.exec(rest)?.[0] ?? "";
    const isNumbered = hasLines && numbers !== "" && (gaps === 0 || rest[numbers.length] === " ");
    if (isNumbered) rest = rest.slice(numbers.length);
    const [value = ""] = isNumbered && gaps === 0 ? [""] : splitEntries(rest, isNumbered);
    rest = rest.slice(value.length).replace(/^(?:, ?|;)/, "");
    const values = gaps === 0 ? [] : valuesOf(value.trim(), gaps);
    if (!isNumbered) found.push({ at: undefined, values });
    else for (const at of linesOf(numbers)) found.push({ at, values });
  }
  return found;
}

/** A value ends before a semicolon or comma that a number follows; without a number before it, before any comma. */
function splitEntries(text: string, isNumbered: boolean): string[] {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\" && quoted) at++;
    else if (text[at] === '"' && (quoted || /[ |]|^$/.test(text[at - 1] ?? ""))) quoted = !quoted;
    else if (!quoted && (isNumbered ? /^(?:;|, ?)\d/ : /^, /).test(text.slice(at, at + 3)))
      return [text.slice(0, at), text.slice(at)];
  }
  return [text];
}

function valuesOf(text: string, gaps: number): string[] {
  if (gaps === 1) return [unquoted(text)];
  const parts = split(text, "|");
  return (parts.length === gaps ? parts : parts.flatMap((part) => split(part, " "))).map(unquoted);
}

/** Parts between a sign that does not stand in quotes. */
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

function gapsIn(head: string): number {
  const numbers = [...head.matchAll(/…(\d*)/g)].map(([, number]) => Number(number || 1));
  return Math.max(0, ...numbers);
}

function filled(head: string, values: readonly string[]): string {
  if (values.length === 0) return head;
  return head.replaceAll(/…(\d*)/g, (gap, number: string) => values[Number(number || 1) - 1] ?? gap);
}

function unquoted(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? String(JSON.parse(text)) : text;
}
