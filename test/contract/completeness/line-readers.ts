import { expect } from "vitest";
import { again, argumentsIn, callIn, type ToolCall } from "./calls.ts";
import type { LineReply, Piece } from "./check-lines.ts";

/** The mark of replies at a line whose end is left out. */
const CLIPPED = /… \(\+(?:up to |at least )?(\d+) characters(?:: (.*))?\)$/;

/** Collects the lines of a reply while it is parsed. */
class Reading {
  readonly pieces: Piece[] = [];
  readonly partial: { line: number; characters: number }[] = [];
  readonly rest: ToolCall[] = [];
  linesLeft = 0;

  /** Adds a line; `restOf` turns the words of its mark into a call. */
  take(line: number, written: string, restOf: (words: string) => ToolCall, column = 1): void {
    const mark = CLIPPED.exec(written);
    const text = mark === null ? written : written.slice(0, mark.index);
    this.pieces.push({ line, column, text });
    if (mark === null) return;
    this.partial.push({ line, characters: Number(mark[1]) });
    if (mark[2] !== undefined) this.rest.push(restOf(mark[2]));
  }
}

/** The code block that follows a heading, without its fences. */
export function fenced(markdown: string, heading?: string): string[] | undefined {
  const lines = markdown.split("\n");
  const from = heading === undefined ? 0 : lines.indexOf(heading);
  if (from < 0) return undefined;
  const open = lines.findIndex((line, index) => index >= from && /^`{3,}$/.test(line));
  if (open < 0) return undefined;
  const close = lines.indexOf(lines[open] ?? "", open + 1);
  return lines.slice(open + 1, close);
}

/** Parses a reply of `read`: numbered rows, ranges that are left out, and a note on what follows. */
export function readFileReply(text: string, call: ToolCall): LineReply {
  if (call.args["response_format"] === "json") return readFileJson(text, call);
  const isMarkdown = call.args["response_format"] === "markdown";
  const reading = new Reading();
  const restOf = (words: string): ToolCall => plainAgain(call, argumentsIn(words));
  const rows = isMarkdown ? (fenced(text) ?? []) : text.split("\n");
  let isFirst = true;
  let last = 0;
  for (const row of rows) {
    const [, number, own = ""] = /^(\d*)\| (.*)$/s.exec(row) ?? [];
    const [, start, end] = /^… (\d+)-(\d+)(?:: .*)?$/.exec(row) ?? [];
    if (number !== undefined) {
      // Inside a run of lines most have no number.
      last = number === "" ? last + 1 : Number(number);
      reading.take(last, own, restOf, isFirst ? Number(call.args["column"] ?? 1) : 1);
      isFirst = false;
    } else if (start !== undefined && end !== undefined) {
      reading.linesLeft += Number(end) - Number(start) + 1;
      reading.rest.push(plainAgain(call, { start_line: Number(start), end_line: Number(end) }));
    }
  }
  const [, count = "", words] =
    /^\[lines [\d-]+ of [^;]*; (?:the rest of line \d+ and )?(\d+) more: ([^\]]*)\]$/m.exec(text) ?? [];
  if (words !== undefined) {
    reading.linesLeft += Number(count);
    reading.rest.push(plainAgain(call, argumentsIn(words)));
  }
  return reading;
}

/** A call for another part of a file is made without the question. */
function plainAgain(call: ToolCall, changes: Readonly<Record<string, unknown>>): ToolCall {
  const { context_focus_question: _question, ...args } = again(call, changes).args;
  return { tool: call.tool, args };
}

interface FileJson {
  readonly start_line: number;
  readonly end_line: number;
  readonly column?: number;
  readonly total_lines: number;
  readonly content?: string;
  readonly parts?: readonly { start_line: number; end_line: number; content: string }[];
  readonly left_out?: readonly { start_line: number; end_line: number }[];
  readonly clipped_lines?: readonly { line: number; column: number; characters_left_out: number }[];
  readonly lines_left_out?: number;
  readonly next?: { readonly start_line: number; readonly column?: number; readonly end_line: number };
}

function readFileJson(text: string, call: ToolCall): LineReply {
  const reply = JSON.parse(text) as FileJson;
  const { start_line, end_line, content, column = 1, clipped_lines: clipped = [] } = reply;
  const whole = { start_line, end_line, content: content ?? "" };
  const parts = reply.parts ?? (reply.total_lines === 0 ? [] : [whole]);
  const pieces = parts.flatMap((part) =>
    part.content.split("\n").map((own, index) => ({
      line: part.start_line + index,
      column: part.start_line + index === start_line ? column : 1,
      text: own,
    })),
  );
  const { next } = reply;
  // Where the reply ends inside a line, `next` has the rest.
  const isBrokenOff = (line: number): boolean => next?.column !== undefined && next.start_line === line;
  const gaps = reply.left_out ?? [];
  const rest = [
    ...gaps.map((gap) => ({ start_line: gap.start_line, end_line: gap.end_line })),
    ...clipped.flatMap(({ line, column: from }) =>
      isBrokenOff(line) ? [] : [{ start_line: line, column: from }],
    ),
    ...(next === undefined ? [] : [next]),
  ].map((place) => plainAgain(call, place));
  return {
    pieces,
    linesLeft: reply.lines_left_out ?? 0,
    partial: clipped.map((one) => ({ line: one.line, characters: one.characters_left_out })),
    rest,
  };
}

/** Parses a reply of `build` with action log, or of `get_job_logs` for a part. */
export function readLogReply(text: string, call: ToolCall): LineReply {
  if (call.args["response_format"] === "json") return readLogJson(text, call);
  const reading = new Reading();
  const lines = text.split("\n");
  const [, from = "1", column = "1", , total = "0"] =
    /lines? (\d+)(?: \(from column (\d+)\))?-(\d+) of (\d+)$/.exec(lines[0] ?? "") ?? [];
  const more = /^more: (.*)$/.exec(lines.at(-1) ?? "")?.[1];
  const body =
    call.args["response_format"] === "markdown"
      ? (fenced(text) ?? [])
      : lines.slice(1, more === undefined ? undefined : -1);
  const restOf = (words: string): ToolCall => again(call, argumentsIn(words));
  for (const [index, line] of body.entries())
    reading.take(Number(from) + index, line, restOf, index === 0 ? Number(column) : 1);
  const end = Number(from) + body.length - 1;
  const wanted = wantedEnd(call, Number(total));
  reading.linesLeft += body.length === 0 ? 0 : wanted - end;
  if (more !== undefined) reading.rest.push(again(call, argumentsIn(more)));
  return reading;
}

/** The last line that a call asks for. */
function wantedEnd({ args }: ToolCall, total: number): number {
  const alone = args["column"] === undefined ? total : Number(args["startLine"]);
  return Math.min(Number(args["endLine"] ?? alone), total);
}

interface LogJson {
  readonly lines: readonly string[];
  readonly startLine: number;
  readonly column?: number;
  readonly endLine: number;
  readonly totalLines: number;
  readonly hasMore: boolean;
  readonly next?: Readonly<Record<string, unknown>>;
}

function readLogJson(text: string, call: ToolCall): LineReply {
  const { lines, startLine, column = 1, endLine, totalLines, next } = JSON.parse(text) as LogJson;
  const reading = new Reading();
  const restOf = (words: string): ToolCall => again(call, argumentsIn(words));
  for (const [index, line] of lines.entries())
    reading.take(startLine + index, line, restOf, index === 0 ? column : 1);
  reading.linesLeft = lines.length === 0 ? 0 : wantedEnd(call, totalLines) - endLine;
  if (next !== undefined) reading.rest.push(again(call, next));
  return reading;
}

interface FocusedJson {
  readonly job_id: string;
  readonly parts: readonly { readonly start_line: number; readonly content: string }[];
  readonly left_out: readonly { readonly start_line: number; readonly end_line: number }[];
}

/** Parses output that was pruned by a question: numbered rows and the ranges between them. */
export function readFocusedRun(text: string, call: ToolCall): LineReply {
  const reading = new Reading();
  const gap = (start: number, end: number, log: ToolCall): void => {
    reading.linesLeft += end - start + 1;
    reading.rest.push(again(log, { startLine: start, endLine: end }));
  };
  if (call.args["response_format"] === "json") {
    const { job_id: runId, parts, left_out: leftOut } = JSON.parse(text) as FocusedJson;
    for (const { start_line: start, content } of parts)
      for (const [index, line] of content.split("\n").entries()) reading.take(start + index, line, callIn);
    for (const { start_line: start, end_line: end } of leftOut) gap(start, end, logCall(call, runId));
    return reading;
  }
  const named = callIn(/A-B is left out: (.*)\]$/.exec(text)?.[1] ?? "");
  const log = { ...named, args: { ...sameLook(call), ...named.args } };
  let last = 0;
  for (const row of text.split("\n")) {
    const [, number, own = ""] = /^(\d*)\| (.*)$/.exec(row) ?? [];
    const [, start, end] = /^… (\d+)-(\d+)(?:: .*)?$/.exec(row) ?? [];
    if (number !== undefined) {
      last = number === "" ? last + 1 : Number(number);
      reading.take(last, own, callIn);
    } else if (start !== undefined) gap(Number(start), Number(end), log);
  }
  return reading;
}

/** The marks that name the lines which they stand for: repetitions of the lines above, and parts of diffs and lists. */
const RANGE_MARK = /^… (.*)[:,] lines? (\d+)(?:-(\d+))?$/;
const EQUAL_LINES = /^the same (?:line|(\d+) lines) (\d+) more times$/;
const SEE_LINES = /^\[to see lines A-B: (.*)\]$/;

/** Parses the output in a report on a run, of one stream or both: lines and marks for those that are not shown. */
export function readOutput(body: readonly string[], total: number, call: ToolCall, runId: string): LineReply {
  const reading = new Reading();
  const asLog = (words: string): ToolCall => {
    const named = /^\w+=/.test(words) ? again(logCall(call, runId), argumentsIn(words)) : callIn(words);
    return { tool: named.tool, args: { ...sameLook(call), ...named.args } };
  };
  const rest = (words: string): ToolCall => asLog(words.replace(/^log /, ""));
  const seeLines = SEE_LINES.exec(body.at(-1) ?? "")?.[1];
  let next = 1;
  for (const line of seeLines === undefined ? body : body.slice(0, -1)) {
    const [, cut, words = ""] = /^… (\d+) lines? cut: (.*)$/.exec(line) ?? [];
    const [, what = "", start, end = start] = RANGE_MARK.exec(line) ?? [];
    const [isEqual, block = "1", times = "0"] = EQUAL_LINES.exec(what) ?? [];
    if (cut !== undefined) {
      reading.linesLeft += Number(cut);
      reading.rest.push(asLog(words));
      next += Number(cut);
    } else if (start === undefined) reading.take(next++, line, rest);
    else {
      // The stated range must begin where the shown lines end, and it must hold as many lines as the mark says.
      expect([line, Number(start)]).toEqual([line, next]);
      if (isEqual !== undefined) {
        expect([line, Number(end) - next + 1]).toEqual([line, Number(block) * Number(times)]);
        for (; next <= Number(end); next++)
          reading.take(next, reading.pieces.at(-Number(block))?.text ?? "", rest);
        continue;
      }
      reading.linesLeft += Number(end) - next + 1;
      reading.rest.push(asLog((seeLines ?? "").replace("=A", `=${start}`).replace("=B", `=${end}`)));
      next = Number(end) + 1;
    }
  }
  expect(next).toBe(total + 1);
  return reading;
}

/** Parses an output text in JSON. Its gap is in another field, and one line of the text stands for it. */
export function readJsonText(
  text: string | undefined,
  cut: JsonCut | undefined,
  { call, runId, total }: { readonly call: ToolCall; readonly runId: string; readonly total: number },
): LineReply {
  const reading = new Reading();
  const base = logCall(call, runId);
  const lines = text === undefined || (text === "" && total === 0) ? [] : text.split("\n");
  const left = cut === undefined ? 0 : cut.total - cut.shown;
  const mark = `… ${left} line${left === 1 ? "" : "s"} cut (${cut?.log?.startLine}-${cut?.log?.endLine})`;
  const at = cut === undefined ? -1 : lines.indexOf(mark);
  const isEnd = cut !== undefined && at < 0;
  for (const [index, line] of lines.entries()) {
    if (index === at) continue;
    const isTail = isEnd || (at >= 0 && index > at);
    const number = isTail ? total - (lines.length - 1 - index) : index + 1;
    reading.take(number, line, (words) => again(base, argumentsIn(words.replace(/^log /, ""))));
  }
  reading.linesLeft = left;
  if (cut?.log !== undefined) reading.rest.push(again(base, cut.log));
  return reading;
}

export interface JsonCut {
  readonly shown: number;
  readonly total: number;
  readonly log?: { readonly startLine: number; readonly endLine: number; readonly stream?: string };
}

/** The call for the log of a run, in the same format and with the same budget. */
export function logCall(call: ToolCall, runId: string): ToolCall {
  const args = { ...sameLook(call) };
  return call.tool === "get_job_logs"
    ? { tool: "get_job_logs", args: { ...args, job_id: runId, stream: call.args["stream"] ?? "both" } }
    : { tool: "build", args: { ...args, action: "log", runId } };
}

function sameLook({ args }: ToolCall): Record<string, unknown> {
  return Object.fromEntries(
    ["response_format", "max_tokens"].flatMap((name) => (name in args ? [[name, args[name]]] : [])),
  );
}
