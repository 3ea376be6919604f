import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";
import { cutExcerpt } from "../run/excerpt.ts";
import type { DiffFile, DiffHunk, DiffPart } from "./diff-files.ts";
import { ROLES, roleOf } from "./diff-roles.ts";
import { diffRows, type FrameLevel, type ShownFile } from "./diff-rows.ts";
import type { OutputRow } from "./output-row.ts";

interface DiffRoom {
  readonly tokens: number;
  readonly write: (line: LogLine) => string;
}

/** The share of the room for commit messages and for one line per file, so that most of it is left for hunks. */
const FRAME_SHARE = 0.35;
/** The newest commits come first, so a diff that is cut keeps more of its beginning. */
export const DIFF_HEAD_SHARE = 0.85;
/** A mark takes about this many tokens. */
const MARK_TOKENS = 25;

/**
 * Fits a diff into a number of tokens. Each file is at least named with its counts. Code is shown in whole hunks and in
 * as many whole files as possible; CI configuration and generated files are shown only if the diff has nothing else.
 */
export function fitDiff(parts: readonly DiffPart[], room: DiffRoom): OutputRow[] {
  const files = parts.flatMap((part) => ("prose" in part ? [] : [part]));
  const roles = new Map(files.map((file) => [file, roleOf(file)]));
  const wanted = ROLES.find((role) => files.some((file) => roles.get(file) === role));
  const isWanted = (file: DiffFile): boolean => roles.get(file) === wanted;
  const { level, frame, isCut } = frameOf(parts, isWanted, room);
  const reachable = isCut ? filesIn(frame, files) : files;
  const wantedFiles = reachable.filter(isWanted);
  const options = { ...level, isWanted, write: room.write };
  let left = room.tokens - sizeOf(textsOf(frame));
  let rows = diffRows(parts, new Map(), options);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const shown = chooseHunks(wantedFiles, commitsOf(parts), { ...room, tokens: left });
    const next = diffRows(parts, shown, options);
    const unused = room.tokens - sizeOf(textsOf(next));
    if (!isCut && unused < 0) return rows;
    rows = next;
    if (isCut || unused < room.tokens * MIN_UNUSED_SHARE) return rows;
    left += unused;
  }
  return rows;
}

/** The marks of files that are shown become superfluous; their tokens are spent in another attempt. */
const MAX_ATTEMPTS = 3;
const MIN_UNUSED_SHARE = 0.05;

function textsOf(rows: readonly OutputRow[]): string[] {
  return rows.map(({ text }) => text);
}

/** How briefly a diff is framed, from the fullest form to the shortest. */
const FULLEST: FrameLevel = {
  proseLines: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  otherDepth: Number.POSITIVE_INFINITY,
};
const LEVELS: readonly FrameLevel[] = [
  FULLEST,
  { proseLines: 12, depth: Number.POSITIVE_INFINITY, otherDepth: Number.POSITIVE_INFINITY },
  { proseLines: 12, depth: Number.POSITIVE_INFINITY, otherDepth: 1 },
  { proseLines: 8, depth: 3, otherDepth: 1 },
  { proseLines: 8, depth: 1, otherDepth: 1 },
  { proseLines: 8, depth: 0, otherDepth: 0 },
];

interface Frame {
  readonly level: FrameLevel;
  /** The rows that are shown in any case. */
  readonly frame: readonly OutputRow[];
  /** True if not even these rows fit, so that a part of the diff is not reached. */
  readonly isCut: boolean;
}

/** Chooses the fullest frame that fits: each file by its name, or those of a folder together. */
function frameOf(
  parts: readonly DiffPart[],
  isWanted: (file: DiffFile) => boolean,
  { tokens, write }: DiffRoom,
): Frame {
  const frames = LEVELS.map((level) => ({
    level,
    frame: diffRows(parts, new Map(), { ...level, isWanted, write }),
  }));
  const fitting = frames.find(({ frame }) => sizeOf(textsOf(frame)) <= tokens * FRAME_SHARE);
  if (fitting !== undefined) return { ...fitting, isCut: false };
  const { level, frame } = frames.at(-1) ?? { level: FULLEST, frame: [] };
  const total = frame.reduce((sum, { number, end }) => sum + end - number + 1, 0);
  const limits = {
    tokens: tokens * FRAME_SHARE,
    headShare: DIFF_HEAD_SHARE,
    write: ({ text }: OutputRow) => text,
  };
  const { head, tail } = cutExcerpt({ total, first: frame, last: [] }, limits);
  return { level, frame: [...head, ...tail], isCut: true };
}

/** Numbers the commits of a diff: the files after the same text belong together. */
function commitsOf(parts: readonly DiffPart[]): ReadonlyMap<DiffFile, number> {
  const commits = new Map<DiffFile, number>();
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    const commit = before === undefined || "prose" in before ? index : commits.get(before);
    if (!("prose" in part)) commits.set(part, commit ?? index);
  }
  return commits;
}

function filesIn(frame: readonly OutputRow[], files: readonly DiffFile[]): DiffFile[] {
  const isIn = (line: number): boolean => frame.some(({ number, end }) => number <= line && line <= end);
  return files.filter(({ header }) => isIn(header[0]?.number ?? 0));
}

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;

/**
 * Chooses whole files and then hunks of the others: the first commits first, source before documents, small files first.
 */
function chooseHunks(
  files: readonly DiffFile[],
  commits: ReadonlyMap<DiffFile, number>,
  { tokens, write }: DiffRoom,
): Map<DiffFile, ShownFile> {
  const shown = new Map<DiffFile, ShownFile>();
  let left = tokens;
  const costOf = (lines: readonly LogLine[]): number => sizeOf(lines.map(write));
  const ranked = files.map((file) => ({
    file,
    order: [
      commits.get(file) ?? 0,
      DOCUMENT.test(file.path) ? 1 : 0,
      costOf([...file.header, ...file.hunks.flatMap((hunk) => hunk.lines)]) + MARK_TOKENS,
    ] as const,
  }));
  ranked.sort(({ order: a }, { order: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  for (const { file, order } of ranked) {
    const [, , cost] = order;
    if (cost > left) continue;
    shown.set(file, { hunks: new Set(file.hunks) });
    left -= cost;
  }
  for (const file of files) {
    if (shown.has(file)) continue;
    const hunks = new Set<DiffHunk>();
    let room = left - costOf(file.header) - MARK_TOKENS;
    for (const hunk of file.hunks) {
      const cost = costOf(hunk.lines) + MARK_TOKENS;
      if (cost > room) continue;
      hunks.add(hunk);
      room -= cost;
    }
    if (hunks.size === 0) continue;
    shown.set(file, { hunks });
    left = room;
  }
  beginHunk(files, shown, { tokens: left, write });
  return shown;
}

/** Fewer tokens than this show too little of a hunk to be of use. */
const MIN_BEGIN_TOKENS = 150;

/** Spends what is left on the beginning of the first hunk that is not shown. */
function beginHunk(
  files: readonly DiffFile[],
  shown: Map<DiffFile, ShownFile>,
  { tokens, write }: DiffRoom,
): void {
  const file = files.find((one) => (shown.get(one)?.hunks.size ?? 0) < one.hunks.length);
  const { hunks } = (file && shown.get(file)) ?? { hunks: new Set<DiffHunk>() };
  const hunk = file?.hunks.find((one) => !hunks.has(one));
  if (file === undefined || hunk === undefined) return;
  let left = tokens - 2 * MARK_TOKENS - (hunks.size === 0 ? sizeOf(file.header.map(write)) : 0);
  if (left < MIN_BEGIN_TOKENS) return;
  let lines = 0;
  for (const line of hunk.lines) {
    left -= sizeOf([write(line)]);
    if (left < 0) break;
    lines++;
  }
  if (lines > 1) shown.set(file, { hunks, begun: { hunk, lines } });
}

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(`${text}\n`), 0) * TOKEN_SAFETY_FACTOR;
}
