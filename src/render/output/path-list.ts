import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";
import { lineRange, type OutputRow } from "./output-row.ts";

/** A line of a list of paths with the folders that it is in; a line that is no path has none. */
interface ListedPath {
  readonly line: LogLine;
  readonly folders?: readonly string[];
}

/** An output counts as a list of paths if at least this share of its lines are paths. */
const MIN_PATH_SHARE = 0.9;
/** Fewer lines than this are shown as they are, since a mark would hardly be shorter. */
const MIN_FOLDED_LINES = 4;
const MAX_UNUSED_SHARE = 0.7;

/** The states before a path, as `git status` writes them in its short and its long form. */
const STATE = /^(?:[ MADRCUT?!]{2} |\t(?:[a-z][a-z ]*: +)?)/;
const PATH = /^[^\s:*?"<>|]+(?: [^\s:*?"<>|/]+){0,3}$/;
/** The name of a folder above its entries, as `ls -R` writes it. */
const FOLDER_TITLE = /^([^\s:]\S*):$/;

/** Parses a list of paths (`find`, `git ls-files`, `git status`, `ls -R`); undefined for other outputs. */
export function parsePathList(lines: readonly LogLine[]): readonly ListedPath[] | undefined {
  const listed: ListedPath[] = [];
  let paths = 0;
  let title: readonly string[] | undefined;
  for (const [index, line] of lines.entries()) {
    const isAfterBlank = index === 0 || lines[index - 1]?.text === "";
    const [, folder] = (isAfterBlank && FOLDER_TITLE.exec(line.text)) || [];
    if (folder !== undefined) title = segmentsOf(folder);
    const folders = title ?? foldersOf(line.text.replace(STATE, ""));
    if (folders !== undefined) paths++;
    listed.push(folders === undefined ? { line } : { line, folders });
  }
  return paths >= lines.length * MIN_PATH_SHARE ? listed : undefined;
}

function foldersOf(path: string): readonly string[] | undefined {
  return path.includes("/") && PATH.test(path) ? segmentsOf(path).slice(0, -1) : undefined;
}

function segmentsOf(path: string): readonly string[] {
  return path.replace(/\/$/, "").split("/");
}

interface ListRoom {
  readonly tokens: number;
  readonly write: (line: LogLine) => string;
}

/** Consecutive lines that are in the same folder down to a depth. */
interface Group {
  readonly paths: readonly ListedPath[];
  readonly depth: number;
}

/** Shows a list of paths by folder. Folders are opened level by level, the smallest first, as long as they fit. */
export function fitPathList(
  listed: readonly ListedPath[],
  { tokens, write }: ListRoom,
): OutputRow[] | undefined {
  const opened = new Map<Group, readonly Group[]>();
  const top = groupByFolder(listed, 1);
  const costOf = (group: Group): number => sizeOf(groupRows(group, write));
  let left = tokens - top.reduce((sum, group) => sum + costOf(group), 0);
  if (left < 0) return undefined;
  for (let level: readonly Group[] = top; level.length > 0;) {
    const next: Group[] = [];
    for (const group of level.toSorted((one, other) => one.paths.length - other.paths.length)) {
      if (!isFolded(group)) continue;
      const inner = groupByFolder(group.paths, group.depth + 1);
      const cost = inner.reduce((sum, one) => sum + costOf(one), 0) - costOf(group);
      if (cost > left) continue;
      left -= cost;
      opened.set(group, inner);
      next.push(...inner);
    }
    level = next;
  }
  // A list in which hardly a folder can be opened says less than its beginning and its end.
  if (left > tokens * MAX_UNUSED_SHARE) return undefined;
  const rowsOf = (group: Group): OutputRow[] => opened.get(group)?.flatMap(rowsOf) ?? groupRows(group, write);
  return top.flatMap(rowsOf);
}

/** Groups lines by their folder down to a depth. A line that is in no deeper folder stands for itself. */
function groupByFolder(listed: readonly ListedPath[], depth: number): Group[] {
  const groups: { paths: ListedPath[]; depth: number }[] = [];
  let before: string | undefined;
  for (const one of listed) {
    const isDeep = one.folders !== undefined && one.folders.length >= depth;
    const key = isDeep ? one.folders.slice(0, depth).join("/") : undefined;
    const last = groups.at(-1);
    if (last === undefined || key === undefined || key !== before) groups.push({ paths: [one], depth });
    else last.paths.push(one);
    before = key;
  }
  return groups;
}

function isFolded({ paths }: Group): boolean {
  return paths.length >= MIN_FOLDED_LINES;
}

function groupRows(group: Group, write: (line: LogLine) => string): OutputRow[] {
  const [first] = group.paths;
  const last = group.paths.at(-1);
  if (first?.folders === undefined || last === undefined || !isFolded(group))
    return lineRows(group.paths, write);
  const [number, end] = [first.line.number, last.line.number];
  const folder = `${first.folders.slice(0, group.depth).join("/")}/`;
  const text = `… ${group.paths.length} lines in ${folder}: ${lineRange(number, end)}`;
  return [{ number, end, text, isLossy: true }];
}

function lineRows(group: readonly ListedPath[], write: (line: LogLine) => string): OutputRow[] {
  return group.map(({ line }) => ({
    number: line.number,
    end: line.number,
    text: write(line),
    isLossy: false,
  }));
}

function sizeOf(rows: readonly OutputRow[]): number {
  return rows.reduce((sum, { text }) => sum + estimateTokens(`${text}\n`), 0) * TOKEN_SAFETY_FACTOR;
}
