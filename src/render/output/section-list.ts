import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";
import { shareTokens } from "../shared-budget.ts";
import { lineRange, type OutputRow } from "./output-row.ts";

/** A head line and what is listed below it: the rows of a table, or the items of a section. */
interface Section {
  /** The title or the header of a table, with hints below it; empty for lines before the first head. */
  readonly head: readonly LogLine[];
  readonly items: readonly LogLine[];
  /** The blank lines after the items. */
  readonly blank: readonly LogLine[];
  readonly isTable: boolean;
}

/** An output counts as a list of sections if at least this share of its lines is below a head. */
const MIN_LISTED_SHARE = 0.8;
/** The fewest items of the longest section; shorter lists need no structure. */
const MIN_ITEMS = 8;

/** Matches the title of a section: `Untracked files:`, `./src:`. */
const TITLE = /^\S.{0,200}:$/;
/** Matches the header of a table: at least three words in capitals, with wide gaps between some of them. */
const TABLE_HEADER = /^\s*%?[A-Z][A-Z\d_%/()#.:+-]*(?:[ \t]+%?[A-Z\d][A-Z\d_%/()#.:+-]*){2,}\s*$/;
/** Matches the hints that git writes below a title. */
const HINT = /^\s+\(.*\)$/;

/** How the items below a head are told from other lines: as rows of a table, by their indentation, or up to a blank line. */
type Style = "table" | "indented" | "plain";

/**
 * Parses an output of titles with items below them (`git status`, `ls -R`) or of tables with a header (`docker ps`,
 * `kubectl get`, `ps`); undefined for other outputs.
 */
export function parseSections(lines: readonly LogLine[]): readonly Section[] | undefined {
  const sections: OpenSection[] = [];
  for (const [index, line] of lines.entries()) {
    const style = styleOfHead(lines, index);
    const last = sections.at(-1);
    if (style !== undefined) sections.push({ head: [line], items: [], style });
    else if (last === undefined || !continues(last, line)) sections.push({ head: [], items: [line] });
    else if (last.items.length === 0 && last.head.length > 0 && HINT.test(line.text)) last.head.push(line);
    else last.items.push(line);
  }
  return isList(sections, lines.length) ? sections.map(closeSection) : undefined;
}

interface OpenSection {
  readonly head: LogLine[];
  readonly items: LogLine[];
  /** Absent for lines that are not below a head. */
  readonly style?: Style;
}

/** The style of the section that a line begins; undefined if it is no head. */
function styleOfHead(lines: readonly LogLine[], index: number): Style | undefined {
  const [line, next] = [lines[index], lines[index + 1]];
  if (line === undefined || next === undefined) return undefined;
  if (isTableHeader(line, next)) return "table";
  if (!TITLE.test(line.text)) return undefined;
  if (/^\s+\S/.test(next.text)) return "indented";
  const isAfterBlank = index === 0 || lines[index - 1]?.text.trim() === "";
  return isAfterBlank && next.text.trim() !== "" ? "plain" : undefined;
}

/** Returns whether a line belongs to the section before it. */
function continues({ head, items, style }: OpenSection, { text }: LogLine): boolean {
  const isBlank = text.trim() === "";
  const isAfterBlank = items.at(-1)?.text.trim() === "";
  if (isBlank || style === undefined) return true;
  if (style === "indented") return /^\s/.test(text);
  return !isAfterBlank || (items.length === 0 && head.length > 0);
}

/** The fewest titles without indented items below them, since a single line with a colon may begin any output. */
const MIN_PLAIN_TITLES = 3;

/** Returns whether most of an output is below heads, and some of it is long enough to be left out. */
function isList(sections: readonly OpenSection[], total: number): boolean {
  const listed = sections.filter(({ style }) => style !== undefined);
  const count = listed.reduce((sum, { head, items }) => sum + head.length + items.length, 0);
  const plain = listed.filter(({ style }) => style === "plain").length;
  const longest = Math.max(0, ...listed.map(({ items }) => items.length));
  return (
    count >= total * MIN_LISTED_SHARE && longest >= MIN_ITEMS && (plain === 0 || plain >= MIN_PLAIN_TITLES)
  );
}

function closeSection({ head, items, style }: OpenSection): Section {
  const end = items.findLastIndex(({ text }) => text.trim() !== "") + 1;
  return { head, items: items.slice(0, end), blank: items.slice(end), isTable: style === "table" };
}

/** The share of the words of a header below which a column of the next line must begin or end. */
const MIN_ALIGNED_SHARE = 0.7;

/** A header of a table has words in capitals above columns that begin or end where these words do. */
function isTableHeader({ text }: LogLine, next: LogLine): boolean {
  if (next.text.trim() === "" || !TABLE_HEADER.test(text)) return false;
  const words = [...text.matchAll(/\S+/g)];
  const isBlank = (at: number): boolean => /\s/.test(next.text[at] ?? " ");
  const isAligned = ({ 0: word, index: start }: RegExpExecArray): boolean => {
    const end = start + word.length;
    return (isBlank(start - 1) && !isBlank(start)) || (isBlank(end) && !isBlank(end - 1));
  };
  return / {2,}|\t/.test(text.trim()) && words.filter(isAligned).length >= words.length * MIN_ALIGNED_SHARE;
}

interface SectionRoom {
  readonly tokens: number;
  readonly write: (line: LogLine) => string;
}

/** A mark takes about this many tokens. */
const MARK_TOKENS = 20;
/** Items that look like failures are shown before others, whatever their place. The names of files do not count. */
const FAILURE =
  /(?<![\w./-])(?:\w*(?:error|exception)s?|fatal|panic\w*|failed|failing|crash\w*|unhealthy|evicted|killed|conflicts?|both modified|cannot|could not|denied)(?![\w./-])/i;

/** The share of the room that all heads may take. If they need more, the last sections are left out. */
const MAX_SHARE_OF_ALL_HEADS = 0.95;
/** The share of the room for heads if some sections are left out anyway. */
const MAX_SHARE_OF_SOME_HEADS = 0.5;

/**
 * Shows every head and as many items as fit: small sections whole, and of the others failures, the first items and the
 * last one. If there are too many heads, the last sections are only counted. Undefined if hardly a head fits.
 */
export function fitSections(
  sections: readonly Section[],
  { tokens, write }: SectionRoom,
): OutputRow[] | undefined {
  const costOf = (lines: readonly LogLine[]): number =>
    lines.reduce((sum, line) => sum + estimateTokens(`${write(line)}\n`), 0) * TOKEN_SAFETY_FACTOR;
  const headCosts = sections.map(
    ({ head, items, blank }) => costOf([...head, ...blank]) + (items.length > 1 ? MARK_TOKENS : 0),
  );
  const count = countSections(headCosts, tokens);
  if (count < Math.min(MIN_SECTIONS, sections.length)) return undefined;
  const shownSections = sections.slice(0, count);
  const rest = sections.slice(count).flatMap(({ head, items, blank }) => [...head, ...items, ...blank]);
  const forRest = rest.length === 0 ? 0 : tokens * REST_SHARE;
  const used = headCosts.slice(0, count).reduce((sum, cost) => sum + cost, 0);
  const costs = shownSections.map(({ items }) => Math.ceil(costOf(items)));
  const shares = shareTokens(costs, tokens - used - forRest);
  const oneCost = (line: LogLine): number => costOf([line]);
  const rows = shownSections.flatMap((section, i) => {
    const isWhole = (shares[i] ?? 0) >= (costs[i] ?? 0);
    const shown = isWhole ? new Set(section.items) : chooseItems(section.items, shares[i] ?? 0, oneCost);
    const plain = (line: LogLine): OutputRow => plainRow(line, write);
    return [...section.head.map(plain), ...itemRows(section, shown, write), ...section.blank.map(plain)];
  });
  const { shown } = takeFailures(rest, forRest - MARK_TOKENS, oneCost);
  return [...rows, ...itemRows({ items: rest, isTable: false }, shown, write)];
}

/** Counts the sections whose heads are shown: all of them, or as many as leave room for items. */
function countSections(headCosts: readonly number[], tokens: number): number {
  const all = headCosts.reduce((sum, cost) => sum + cost, 0);
  if (all <= tokens * MAX_SHARE_OF_ALL_HEADS) return headCosts.length;
  let used = 0;
  const firstOut = headCosts.findIndex((cost) => (used += cost) > tokens * MAX_SHARE_OF_SOME_HEADS);
  return firstOut < 0 ? headCosts.length : firstOut;
}

/** Fewer sections than this say little about an output that has more. */
const MIN_SECTIONS = 2;
/** The share of the room for failures in sections that are left out. */
const REST_SHARE = 0.15;

function chooseItems(
  items: readonly LogLine[],
  tokens: number,
  costOf: (line: LogLine) => number,
): ReadonlySet<LogLine> {
  const last = items.at(-1);
  // Failures may take a third of the room, since each of them may need a mark before and after it.
  const { shown, cost } = takeFailures(items, tokens / 3, costOf);
  let left = tokens - cost;
  for (const line of last === undefined ? [] : [...items.slice(0, 1), last, ...items.slice(1)]) {
    if (shown.has(line)) continue;
    left -= costOf(line);
    if (left < 0) break;
    shown.add(line);
  }
  return shown;
}

/** Takes as many lines that look like failures as fit, each with a mark for the lines around it. */
function takeFailures(
  lines: readonly LogLine[],
  tokens: number,
  costOf: (line: LogLine) => number,
): { readonly shown: Set<LogLine>; readonly cost: number } {
  const shown = new Set<LogLine>();
  let cost = 0;
  for (const line of lines) {
    if (!FAILURE.test(line.text)) continue;
    const next = cost + costOf(line) + MARK_TOKENS;
    if (next > tokens) break;
    cost = next;
    shown.add(line);
  }
  return { shown, cost };
}

function itemRows(
  { items, isTable }: Pick<Section, "items" | "isTable">,
  shown: ReadonlySet<LogLine>,
  write: SectionRoom["write"],
): OutputRow[] {
  const rows: OutputRow[] = [];
  let hidden: LogLine[] = [];
  const closeGap = (): void => {
    const [first] = hidden;
    const last = hidden.at(-1);
    if (first === undefined || last === undefined) return;
    rows.push(gapRow(first, last, { hidden: hidden.length, of: items.length, isTable }));
    hidden = [];
  };
  for (const line of items) {
    if (!shown.has(line)) {
      hidden.push(line);
      continue;
    }
    closeGap();
    rows.push(plainRow(line, write));
  }
  closeGap();
  return rows;
}

function gapRow(
  { number }: LogLine,
  { number: end }: LogLine,
  { hidden, of, isTable }: { readonly hidden: number; readonly of: number; readonly isTable: boolean },
): OutputRow {
  const noun = isTable ? "rows" : "lines";
  const text = `… ${hidden} of ${of} ${noun} left out: ${lineRange(number, end)}`;
  return { number, end, text, isLossy: true };
}

function plainRow(line: LogLine, write: SectionRoom["write"]): OutputRow {
  return { number: line.number, end: line.number, text: write(line), isLossy: false };
}
