import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { encodeCursor } from "../../kernel/cursor.ts";
import type { FileMatches, GrepLine, GrepPlace, GrepResult } from "../../model/grep-result.ts";
import { type Masked, maskedAt } from "../../model/masked.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import { focusNote } from "./focus.ts";
import { jsonLine, textWithMarks } from "./grep-line.ts";
import { describeSearched, listPaths, missingNote } from "./grep-notes.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";
import { maskedNoteSample } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { shownPath } from "../shown-path.ts";

export interface GrepReply {
  /** The matches of the search that earlier pages did not show. */
  readonly result: GrepResult;
  readonly before: GrepPlace;
  /** The arguments of the search. A cursor for more matches is valid only with the same arguments. */
  readonly question: unknown;
  readonly pruning: PruningOutcome;
}

/** Examples of the notes and of the outer fields of a JSON reply; their lengths are reserved in the budget. */
const NOTE_SAMPLE =
  "[matches 1234-1234 of at least 123456 in 123456 files; more: cursor=abcd.abcdef, or narrow path or glob]\n";
const CONTEXT_SAMPLE = ", 12 lines of context cut";
const JSON_SAMPLE =
  '{"matches":[],"shown":1234,"total":123456,"files":123456,"searched":123456,"cursor":"abc.abcdef"}'.repeat(
    2,
  );

/** Writes as many matches as the budget holds, in path order. The others are counted and available through a cursor. */
export function renderGrep(reply: GrepReply, { format, budget, reader = EVERY_TOOL }: View): Rendered {
  const { files } = reply.result;
  budget.reserve((format === "json" ? JSON_SAMPLE : NOTE_SAMPLE) + maskedNoteSample(maskedIn(files)));
  if (files.some(({ lines }) => lines.some(({ isMatch }) => !isMatch))) budget.reserve(CONTEXT_SAMPLE);
  const { missingPaths = [] } = reply.result;
  if (missingPaths.length > 0)
    budget.reserve(format === "json" ? JSON.stringify(missingPaths) : missingNote(missingPaths));
  const page = takeFitting(files, budget, { format, reader });
  const facts = factsOf(reply, page);
  const beside = { meta: { ...facts, pruning: reply.pruning }, masked: maskedIn(page.files) };
  if (format === "json") return jsonReply({ matches: jsonMatches(page.files), ...facts }, beside);
  const prefix = reader.linePrefix;
  const noteLines = notes(reply, page, reader);
  const marked = page.files.map((file) => withMarks(file, reader));
  if (format === "text" && prefix !== undefined) {
    const hasNotes = noteLines.length > 0 || beside.masked !== undefined;
    const stderrNote = hasNotes ? { stderrNote: noteLines.join("\n") } : {};
    return { text: flatLines(marked, prefix).join("\n"), ...stderrNote, ...beside };
  }
  const body = marked.flatMap((file) => (format === "markdown" ? markdownFile(file) : textFile(file)));
  return { text: [...body, ...noteLines].join("\n"), ...beside };
}

/** The masked secrets on the lines of the given files. */
function maskedIn(files: readonly FileMatches[]): Masked | undefined {
  const secrets = files.flatMap(({ path, lines }) =>
    lines.flatMap(({ number, secrets = 0 }) =>
      Array.from({ length: secrets }, () => ({ path, line: number, lastLine: number })),
    ),
  );
  return maskedAt(secrets);
}

interface Page {
  readonly files: readonly FileMatches[];
  /** The number of shown matching lines, or of shown files if only files are listed. */
  readonly shown: number;
  /** The number of shown lines including context, or of shown files if only files are listed. */
  readonly rows: number;
  /** True if all matches fit into the reply. */
  readonly isWhole: boolean;
  /** The number of context lines directly after the last shown line that did not fit into the reply. */
  readonly contextCut: number;
}

type Style = Required<Pick<View, "format" | "reader">>;

function takeFitting(files: readonly FileMatches[], budget: Budget, style: Style): Page {
  const kept: FileMatches[] = [];
  let contextCut = 0;
  for (const file of files) {
    // A page has at least one line or file, so that its cursor advances.
    const isFirst = kept.length === 0;
    if (!budget.take(`${frameOf(file, style.format)}\n`) && !isFirst) break;
    const fitting = budget.fit(file.lines, (line) => rowCost(file.path, line, style));
    const lines = isFirst && fitting.length === 0 ? file.lines.slice(0, 1) : fitting;
    if (file.lines.length > 0 && lines.length === 0) break;
    kept.push({ ...file, lines });
    contextCut = contextAfter(file.lines, lines.length);
    if (lines.length < file.lines.length) break;
  }
  const rows = countRows(kept);
  const shown = kept.reduce((sum, { lines }) => sum + (lines.length === 0 ? 1 : countMatches(lines)), 0);
  return { files: kept, shown, rows, isWhole: rows === countRows(files), contextCut };
}

/** The heading and other text around the matching lines of a file, in the given format. */
function frameOf(file: FileMatches, format: View["format"]): string {
  const frame = { ...file, lines: [] };
  if (format === "json") return JSON.stringify(jsonMatches([frame]));
  if (format === "markdown") return `${markdownFile(frame).join("\n")}${file.lines.length > 0 ? FENCES : ""}`;
  return textFile(frame).join("\n");
}

const FENCES = "## \n\n```\n```\n\n";

function rowCost(path: string, line: GrepLine, { format, reader }: Style): string {
  const written =
    format === "json" ? JSON.stringify(jsonLine(path, line)) : textWithMarks(path, line, reader);
  return ` ${line.number}: ${written}\n`;
}

function countRows(files: readonly FileMatches[]): number {
  return files.reduce((sum, { lines }) => sum + Math.max(1, lines.length), 0);
}

function countMatches(lines: readonly GrepLine[]): number {
  return lines.filter(({ isMatch }) => isMatch).length;
}

function contextAfter(lines: readonly GrepLine[], shown: number): number {
  let at = shown;
  for (let line = lines[at]; line?.isMatch === false; line = lines[++at])
    if (line.number !== (lines[at - 1]?.number ?? 0) + 1) break;
  return at - shown;
}

function withMarks(file: FileMatches, reader: Reader): FileMatches {
  return {
    ...file,
    lines: file.lines.map((line) => ({ ...line, text: textWithMarks(file.path, line, reader) })),
  };
}

/** Writes the matches of a file: a single one on one line with the path, several below the path. */
function textFile(file: FileMatches): readonly string[] {
  const path = shownPath(file.path);
  if (file.lines.length === 0) return [file.count === undefined ? path : `${path}: ${file.count}`];
  const [only] = file.lines;
  if (only?.isMatch === true && file.lines.length === 1) return [`${path}:${only.number}: ${only.text}`];
  return [path, ...withGaps(file.lines).map((line) => (line === undefined ? " …" : textLine(line)))];
}

function textLine(line: GrepLine): string {
  return ` ${line.number}${line.isMatch ? ":" : "-"} ${line.text}`;
}

/** Inserts undefined where lines between two shown lines are skipped, but only if the result has context lines. */
function withGaps(lines: readonly GrepLine[]): readonly (GrepLine | undefined)[] {
  const hasContext = lines.some((line) => !line.isMatch);
  return lines.flatMap((line, index) => {
    const previous = lines[index - 1];
    const jumps = hasContext && previous !== undefined && line.number > previous.number + 1;
    return jumps ? [undefined, line] : [line];
  });
}

/**
 * Lines in the format of the grep program: `path:12:text`, context as `path-11-text`, and `--` where lines are skipped.
 */
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
    return file.lines.map((line) => jsonLine(file.path, line));
  });
}

function totalOf({ output, matchedFiles, matchedLines }: GrepResult): number {
  return output === "lines" ? (matchedLines ?? 0) : matchedFiles;
}

/**
 * The cursor for the matches after this page. There is none if the caller asked a question and only matching lines that
 * answer it were kept.
 */
function cursorAfter({ result, before, question, pruning }: GrepReply, page: Page): string | undefined {
  const isLast = page.isWhole && before.matches + page.shown >= totalOf(result);
  return isLast || pruning.applied ? undefined : encodeCursor(question, before.rows + page.rows);
}

function factsOf(reply: GrepReply, page: Page): Readonly<Record<string, unknown>> {
  const { result } = reply;
  const { binary, tooLarge, unreadable, matchingBinary } = result.skipped;
  const { missingPaths = [] } = result;
  const cursor = cursorAfter(reply, page);
  const clipped = page.files.flatMap(({ lines }) =>
    lines.filter(({ column, hidden }) => column !== undefined || hidden !== undefined),
  ).length;
  return {
    shown: page.shown,
    total: totalOf(result),
    ...(result.totalsAreExact ? {} : { total_at_least: true }),
    files: result.matchedFiles,
    ...(result.searchedFiles === undefined ? {} : { searched: result.searchedFiles }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(cursor === undefined || page.contextCut === 0 ? {} : { context_lines_cut: page.contextCut }),
    ...(binary === undefined ? {} : { binary }),
    ...(tooLarge === undefined ? {} : { too_large: tooLarge }),
    ...(unreadable === 0 ? {} : { unreadable }),
    ...(matchingBinary.length === 0 ? {} : { matching_binary: matchingBinary }),
    ...(clipped === 0 ? {} : { clipped_lines: clipped }),
    ...(missingPaths.length === 0 ? {} : { missing_paths: missingPaths }),
  };
}

/** A note on which matches the page shows, and how to get the others. */
function pageNote(reply: GrepReply, page: Page, reader: Reader): readonly string[] {
  const { result, before } = reply;
  const total = totalOf(result);
  if (total === 0) return [`No match${describeSearched(result)}`];
  if (reply.pruning.applied) {
    const from = before.matches === 0 ? "" : ` from match ${before.matches + 1} on`;
    return [`[${page.shown} of ${total - before.matches} matches${from} kept; without the question: all]`];
  }
  const cursor = cursorAfter(reply, page);
  if (cursor === undefined) return [];
  const noun = result.output === "lines" ? "matches" : "files";
  const about = `${result.totalsAreExact ? "" : "at least "}${total}`;
  const end = before.matches + page.shown;
  const range =
    page.shown === 0
      ? `context only, ${end} of ${about} ${noun} so far`
      : `${noun} ${before.matches + 1}-${end} of ${about}`;
  const cut = page.contextCut === 0 ? "" : `, ${pluralize(page.contextCut, "line")} of context cut`;
  const again = spellAgain(reader, { cursor });
  const more =
    reader.surface === "cli"
      ? `${again} or --all; fewer: a path or --glob`
      : `${again}, or narrow path or glob`;
  return [`[${range}${cut}; more: ${more}]`];
}

function notes(reply: GrepReply, page: Page, reader: Reader): readonly string[] {
  const { result } = reply;
  const total = totalOf(result);
  const lines = [...pageNote(reply, page, reader)];
  const focus = focusNote(reply.pruning);
  if (focus !== undefined && !reply.pruning.applied) lines.push(focus);
  const { matchingBinary, unreadable } = result.skipped;
  const { missingPaths = [] } = result;
  if (matchingBinary.length > 0) lines.push(`[also matches in binary: ${listPaths(matchingBinary)}]`);
  if (missingPaths.length > 0) lines.push(missingNote(missingPaths));
  if (unreadable > 0 && total > 0) lines.push(`[${unreadable} files could not be read]`);
  return lines;
}
