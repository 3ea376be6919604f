import type { Budget } from "../kernel/budget.ts";
import { counted } from "../kernel/counted.ts";
import { encodeCursor } from "../kernel/cursor.ts";
import type { FileMatches, GrepLine, GrepResult } from "../model/grep-result.ts";
import type { PruningOutcome } from "../model/pruning.ts";
import { focusNote } from "./focus.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "./reader.ts";
import type { Rendered, View } from "./rendered.ts";
import { shownPath } from "./shown-path.ts";

export interface GrepReply {
  readonly result: GrepResult;
  /** Matches (or files) that earlier replies showed; the result holds them too. */
  readonly offset: number;
  /** What the cursor for the rest belongs to. */
  readonly question: unknown;
  readonly pruning: PruningOutcome;
}

/** Room for the line that says what is missing, and for JSON's own frame. */
const NOTE_ROOM =
  "[matches 1234-1234 of at least 123456 in 123456 files; more: cursor=abcd.abcdef, or narrow path or glob]\n";
const JSON_ROOM =
  '{"matches":[],"shown":1234,"total":123456,"files":123456,"searched":123456,"cursor":"abc.abcdef"}'.repeat(
    2,
  );

/** Search results, as many as the budget holds, in path order; the rest is counted and reachable by a cursor. */
export function renderGrep(reply: GrepReply, { format, budget, reader }: View): Rendered {
  budget.reserve(format === "json" ? JSON_ROOM : NOTE_ROOM);
  const files = afterOffset(reply);
  const page = takeFitting(files, budget, format);
  const facts = factsOf(reply, page.shown);
  const meta = { ...facts, pruning: reply.pruning };
  if (format === "json")
    return { text: JSON.stringify({ matches: jsonMatches(page.files), ...facts }), meta };
  const prefix = reader?.linePrefix;
  const said = notes(reply, page.shown, reader);
  if (format === "text" && prefix !== undefined) {
    const aside = said.length === 0 ? {} : { aside: said.join("\n") };
    return { text: flatLines(page.files, prefix).join("\n"), ...aside, meta };
  }
  const body = page.files.flatMap((file) => (format === "markdown" ? markdownFile(file) : textFile(file)));
  return { text: [...body, ...said].join("\n"), meta };
}

function afterOffset({ result, offset }: GrepReply): readonly FileMatches[] {
  if (offset === 0) return result.files;
  if (result.output !== "lines") return result.files.slice(offset);
  let skip = offset;
  return result.files.flatMap((file) => {
    const first = file.lines.findIndex((line) => line.isMatch && skip-- <= 0);
    return first === -1 ? [] : [{ ...file, lines: file.lines.slice(first) }];
  });
}

interface Page {
  readonly files: readonly FileMatches[];
  /** Matching lines, or files, that fitted. */
  readonly shown: number;
}

function takeFitting(files: readonly FileMatches[], budget: Budget, format: View["format"]): Page {
  const kept: FileMatches[] = [];
  let shown = 0;
  for (const file of files) {
    // What stands around a file's lines, in this format.
    const frame = { ...file, lines: [] };
    const head =
      format === "json"
        ? JSON.stringify(jsonMatches([frame]))
        : format === "markdown"
          ? `${markdownFile(frame).join("\n")}${file.lines.length > 0 ? FENCES : ""}`
          : textFile(frame).join("\n");
    // A page has one match at least, so that its cursor goes on.
    const isFirst = kept.length === 0;
    if (!budget.take(`${head}\n`) && !isFirst) break;
    const fitting = fittingLines(file, budget, format === "json");
    const lines = isFirst && !fitting.some(({ isMatch }) => isMatch) ? upToMatch(file.lines) : fitting;
    if (file.lines.length > 0 && lines.length === 0) break;
    kept.push({ ...file, lines });
    shown += file.lines.length === 0 ? 1 : lines.filter((line) => line.isMatch).length;
    if (lines.length < file.lines.length) break;
  }
  return { files: kept, shown };
}

function upToMatch(lines: readonly GrepLine[]): readonly GrepLine[] {
  return lines.slice(0, lines.findIndex(({ isMatch }) => isMatch) + 1);
}

const FENCES = "## \n\n```\n```\n\n";

function fittingLines(file: FileMatches, budget: Budget, json: boolean): readonly GrepLine[] {
  const lines: GrepLine[] = [];
  for (const line of file.lines) {
    const written = json
      ? JSON.stringify({ path: file.path, line: line.number, text: line.text })
      : line.text;
    if (!budget.take(` ${line.number}: ${written}\n`)) break;
    lines.push(line);
  }
  return lines;
}

/** One match stands on one line with its path; several of a file stand under it. */
function textFile(file: FileMatches): readonly string[] {
  const path = shownPath(file.path);
  if (file.lines.length === 0) return [file.count === undefined ? path : `${path}: ${file.count}`];
  const [only] = file.lines;
  if (only !== undefined && file.lines.length === 1) return [`${path}:${only.number}: ${only.text}`];
  return [path, ...withGaps(file.lines).map((line) => (line === undefined ? " …" : textLine(line)))];
}

function textLine(line: GrepLine): string {
  return ` ${line.number}${line.isMatch ? ":" : "-"} ${line.text}`;
}

/** Lines with a mark where context jumps; without context every match stands alone and needs none. */
function withGaps(lines: readonly GrepLine[]): readonly (GrepLine | undefined)[] {
  const hasContext = lines.some((line) => !line.isMatch);
  return lines.flatMap((line, index) => {
    const previous = lines[index - 1];
    const jumps = hasContext && previous !== undefined && line.number > previous.number + 1;
    return jumps ? [undefined, line] : [line];
  });
}

/** As grep prints: `path:12:text`, context as `path-11-text`, `--` where lines are left out between. */
function flatLines(
  files: readonly FileMatches[],
  prefix: NonNullable<Reader["linePrefix"]>,
): readonly string[] {
  const hasContext = files.some(({ lines }) => lines.some(({ isMatch }) => !isMatch));
  return files.flatMap((file, index) => {
    const path = prefix.includes("path") || file.lines.length === 0 ? [shownPath(file.path)] : [];
    if (file.lines.length === 0)
      return [[...path, ...(file.count === undefined ? [] : [file.count])].join(":")];
    const rows = withGaps(file.lines).map((line) => {
      if (line === undefined) return "--";
      const sign = line.isMatch ? ":" : "-";
      return [...path, ...(prefix.includes("line") ? [line.number] : []), line.text].join(sign);
    });
    return hasContext && index > 0 ? ["--", ...rows] : rows;
  });
}

function markdownFile(file: FileMatches): readonly string[] {
  if (file.lines.length === 0)
    return [`- \`${shownPath(file.path)}\`${file.count === undefined ? "" : `: ${file.count}`}`];
  return [
    `## ${shownPath(file.path)}`,
    "",
    "```",
    ...file.lines.map((line) => textLine(line).trimStart()),
    "```",
    "",
  ];
}

function jsonMatches(files: readonly FileMatches[]): readonly object[] {
  return files.flatMap((file): readonly object[] => {
    if (file.lines.length === 0)
      return [{ path: file.path, ...(file.count === undefined ? {} : { count: file.count }) }];
    return file.lines.map((line) => ({
      path: file.path,
      line: line.number,
      text: line.text,
      ...(line.isMatch ? {} : { context: true }),
    }));
  });
}

function totalOf({ output, matchedFiles, matchedLines }: GrepResult): number {
  return output === "lines" ? (matchedLines ?? 0) : matchedFiles;
}

function factsOf(
  { result, offset, question, pruning }: GrepReply,
  shown: number,
): Readonly<Record<string, unknown>> {
  const total = totalOf(result);
  const { binary, tooLarge, unreadable, matchingBinary } = result.skipped;
  return {
    shown,
    total,
    ...(result.totalsAreExact ? {} : { total_at_least: true }),
    files: result.matchedFiles,
    ...(result.searchedFiles === undefined ? {} : { searched: result.searchedFiles }),
    ...(offset + shown < total && !pruning.applied ? { cursor: encodeCursor(question, offset + shown) } : {}),
    ...(binary === undefined ? {} : { binary }),
    ...(tooLarge === undefined ? {} : { too_large: tooLarge }),
    ...(unreadable === 0 ? {} : { unreadable }),
    ...(matchingBinary.length === 0 ? {} : { matching_binary: matchingBinary }),
    ...(result.clippedLines === 0 ? {} : { clipped_lines: result.clippedLines }),
  };
}

function notes(reply: GrepReply, shown: number, reader: Reader = EVERY_TOOL): readonly string[] {
  const { result, offset, question } = reply;
  const total = totalOf(result);
  const lines: string[] = [];
  if (total === 0) lines.push(`No match${searched(result)}`);
  else if (reply.pruning.applied)
    lines.push(`[${shown} of ${total} matches kept; without the question: all]`);
  else if (offset + shown < total) {
    const noun = result.output === "lines" ? "matches" : "files";
    const about = `${result.totalsAreExact ? "" : "at least "}${total}`;
    const cursor = spellAgain(reader, { cursor: encodeCursor(question, offset + shown) });
    const more = reader.surface === "cli" ? `${cursor} or --all` : cursor;
    lines.push(
      `[${noun} ${offset + 1}-${offset + shown} of ${about}; more: ${more}, or narrow path or glob]`,
    );
  }
  const focus = focusNote(reply.pruning);
  if (focus !== undefined && !reply.pruning.applied) lines.push(focus);
  const { matchingBinary, unreadable } = result.skipped;
  if (matchingBinary.length > 0)
    lines.push(
      `[also matches in binary: ${matchingBinary.slice(0, 5).join(", ")}${matchingBinary.length > 5 ? ` and ${matchingBinary.length - 5} more` : ""}]`,
    );
  if (unreadable > 0 && total > 0) lines.push(`[${unreadable} files could not be read]`);
  return lines;
}

/** What was searched and what was not, in the few words that a reply of nothing may cost. */
function searched({ searchedFiles, skipped: { binary = 0, tooLarge = 0, unreadable } }: GrepResult): string {
  const left = (
    [
      [binary, "binary"],
      [tooLarge, "too large"],
      [unreadable, "unreadable"],
    ] as const
  )
    .filter(([count]) => count > 0)
    .map(([count, why]) => `${count} ${why}`);
  const files = searchedFiles === undefined ? "" : ` in ${counted(searchedFiles, "file")}`;
  return `${files}; not searched: ${[...left, "ignored files"].join(", ")}`;
}
