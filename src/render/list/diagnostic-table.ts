import { Budget } from "../../kernel/budget.ts";
import { firstCharacters } from "../../kernel/characters.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import type { Severity } from "../../model/diagnostic.ts";
import { messageShape } from "../message-shape.ts";
import { EVERY_TOOL } from "../reader/reader.ts";
import type { View } from "../rendered.ts";
import { countDiagnostics, hasSeveralTools, renderDiagnostics } from "./diagnostics.ts";
import { shownFile } from "./places.ts";

/** The number of diagnostics up to which a first reply lists them all, however long the list is. */
export const MAX_LISTED = 50;

/** The most tokens for findings in a first reply: enough for a table, or for the causes of many failures. */
export const FIRST_REPLY_TOKENS = 600;
/** The largest budget that a tool has by default. A caller who asks for more gets more rows and more causes. */
const LARGEST_DEFAULT = 3_000;
/** The part of a larger budget that a first reply spends on findings. */
const LARGE_BUDGET_SHARE = 0.3;

/**
 * Returns the tokens that a first reply spends on findings. The budget of a shell command is always large, so only the
 * verbosity says there how much the reader wants.
 */
export function firstReplyTokens({ budget, reader = EVERY_TOOL }: Pick<View, "budget" | "reader">): number {
  const isLarge = reader.surface !== "cli" && budget.maxTokens > LARGEST_DEFAULT;
  return isLarge ? budget.maxTokens * LARGE_BUDGET_SHARE : FIRST_REPLY_TOKENS;
}

/** Checks whether diagnostics are so many that a first reply counts them in a table. */
export function needsTable(groups: readonly DiagnosticGroup[], tokens: number): boolean {
  if (countDiagnostics(groups) <= MAX_LISTED) return false;
  const { shown, total } = renderDiagnostics(groups, new Budget(tokens));
  return shown < total;
}

interface TableOptions {
  /** The most tokens of the table. */
  readonly tokens: number;
  /** The last line, which says how to list all diagnostics. */
  readonly closing: string;
}

/**
 * Writes a table of diagnostics: how many there are of each rule and in each file, with the first places. Rows that do
 * not fit are counted, so that every diagnostic is counted once by rule and once by file. Returns undefined if there is
 * no room for it.
 */
export function renderTable(
  groups: readonly DiagnosticGroup[],
  budget: Budget,
  { tokens, closing }: TableOptions,
): string | undefined {
  const entries = entriesOf(groups);
  const rules = [...groupBy(entries, ({ rule }) => rule).values()].sort(byWeight);
  const files = [...groupBy(entries, ({ file }) => file).values()].sort(byWeight);
  const room = new Budget(Math.min(tokens, budget.remainingTokens));
  room.reserve(`by rule:\nby file:\n${closing}\n`);
  const hasFiles = files.length > 1;
  const ruleTokens = hasFiles ? room.remainingTokens / 2 : room.remainingTokens;
  const ruleLines = rowsOf("rule", rules.map(ruleRow), ruleTokens);
  if (ruleLines === undefined) return undefined;
  room.reserve(ruleLines.join("\n"));
  const fileLines = hasFiles ? rowsOf("file", files.map(fileRow), room.remainingTokens) : undefined;
  const text = [
    "by rule:",
    ...ruleLines,
    ...(fileLines === undefined ? [] : ["by file:", ...fileLines]),
    closing,
  ].join("\n");
  budget.reserve(text);
  return text;
}

interface Row {
  readonly text: string;
  /** The rule or the file, for a row that does not fit. */
  readonly name: string;
  readonly count: number;
}

/** The part of a table's tokens that is kept for the names of rows that do not fit. */
const NAMES_SHARE = 0.2;

/** Returns the rows that fit, and a last line that names or counts the others; undefined if no row fits. */
function rowsOf(noun: string, rows: readonly Row[], tokens: number): string[] | undefined {
  const names = new Budget(tokens * NAMES_SHARE);
  const shown = new Budget(tokens * (1 - NAMES_SHARE)).fit(rows, ({ text }) => `${text}\n`);
  if (shown.length === 0) return undefined;
  const lines = shown.map(({ text }) => text);
  const rest = rows.slice(shown.length);
  if (rest.length === 0) return lines;
  names.reserve(" and 1000 more rules: , 10000 in 1000 others");
  const named = names.fit(rest, ({ name, count }) => `${count} ${name}, `);
  const hidden = rest.slice(named.length);
  const count = hidden.reduce((sum, row) => sum + row.count, 0);
  const parts = named.map((row) => `${row.count} ${row.name}`);
  if (hidden.length > 0)
    parts.push(named.length > 0 ? `${count} in ${pluralize(hidden.length, "other")}` : String(count));
  return [...lines, ` and ${pluralize(rest.length, `more ${noun}`)}: ${parts.join(", ")}`];
}

/** One diagnostic as the table counts it. */
interface Entry {
  /** The severity, the tool if there are several, and the rule; for a message without a rule, its text without values. */
  readonly rule: string;
  /** The beginning of the rule's row: severity, tool and rule, as far as there are any. */
  readonly name: string;
  readonly severity: Severity;
  readonly code: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly message: string;
}

function entriesOf(groups: readonly DiagnosticGroup[]): Entry[] {
  const namesTools = hasSeveralTools(groups);
  return groups.flatMap(({ tool, severity, code, message, files }) => {
    const name = [
      severity,
      ...(namesTools ? ["from", tool] : []),
      ...(code === undefined ? [] : [code]),
    ].join(" ");
    const [first = ""] = message.split("\n", 1);
    const rule = code === undefined ? `${name}\0${shapeOf(message)}` : name;
    return files.flatMap(({ file, places }) =>
      places.map(({ line }) => ({ rule, name, severity, code, file, line, message: first })),
    );
  });
}

/** The shape of a message without a rule: what is left of it without values and names. */
function shapeOf(message: string): string {
  return messageShape(message)
    .replaceAll(NAMES, "…")
    .replace(/(?<=: )[^\s:]+$/, "…");
}

/** Matches words that only code contains, such as `camelCase`, `snake_case`, `a.b` and `A::b`. */
const NAMES = /(?<![\w$])[\w$]*(?:[a-z\d][A-Z]|_|\d|\w(?:\.|::)(?=\w))[\w$]*(?:(?:\.|::)[\w$]+)*/g;

/** The most characters of a message in a row of the table, and of a message that stands for a rule without a name. */
const MAX_MESSAGE = 120;
const MAX_NAME = 40;

function clipped(text: string, length: number): string {
  const shown = firstCharacters(text, length);
  return shown.length < text.length ? `${shown}…` : text;
}

/** Sorts rows by their number of errors, then of warnings, then of all diagnostics. */
function byWeight(one: readonly Entry[], other: readonly Entry[]): number {
  const count = (entries: readonly Entry[], severity: Severity): number =>
    entries.filter((entry) => entry.severity === severity).length;
  return (
    count(other, "error") - count(one, "error") ||
    count(other, "warning") - count(one, "warning") ||
    other.length - one.length
  );
}

/** The number of places in a row of the table. */
const PLACES_PER_RULE = 3;
const PLACES_PER_FILE = 3;
/** The number of rules in the row of a file. */
const RULES_PER_FILE = 3;

/** Names a rule. For messages without one, the first of them stands for those that differ only in names and values. */
function labelOf(entries: readonly Entry[]): string {
  const [first] = entries;
  if (first === undefined || first.code !== undefined) return first?.code ?? "";
  return `${haveSameMessage(entries) ? "" : "like "}"${clipped(first.message, MAX_NAME)}"`;
}

function haveSameMessage(entries: readonly Entry[]): boolean {
  return entries.every(({ message }) => message === entries[0]?.message);
}

/** Writes a row such as ` 210 error no-var in 30 files: src/a.ts:3 Unexpected var; also src/a.ts:9, src/b.ts:2`. */
function ruleRow(entries: readonly Entry[]): Row {
  const [first, ...others] = entries;
  const files = new Set(entries.flatMap(({ file }) => file ?? [])).size;
  const where = files > 1 ? ` in ${files} files` : "";
  const also = first === undefined ? "" : alsoAt(others, first);
  const example =
    first === undefined ? "" : [placeOf(first), clipped(first.message, MAX_MESSAGE)].join(" ").trim();
  const isSame = haveSameMessage(entries);
  const text = ` ${entries.length} ${first?.name}${where}${isSame ? ":" : ", such as"} ${example}`;
  return {
    text: also === "" ? text : `${text}; also ${also}`,
    name: labelOf(entries),
    count: entries.length,
  };
}

/** Writes the first further places of a rule; those in the file of the first place, by their lines alone. */
function alsoAt(entries: readonly Entry[], first: Entry): string {
  const places = groupBy(entries, placeOf);
  places.delete(placeOf(first));
  const shown = [...places.values()].flatMap(([entry]) => entry ?? []).slice(0, PLACES_PER_RULE - 1);
  const inFile = ({ file, line }: Entry): boolean => file === first.file && line !== undefined;
  const lines = shown.filter(inFile).flatMap(({ line }) => line ?? []);
  const others = shown.filter((entry) => !inFile(entry)).map(placeOf);
  return [lines.length === 0 ? "" : linesText(lines), ...others].filter(Boolean).join(", ");
}

function linesText(lines: readonly number[]): string {
  return `${lines.length === 1 ? "line" : "lines"} ${lines.join(", ")}`;
}

function placeOf({ file, line }: Entry): string {
  if (file === undefined) return line === undefined ? "" : `line ${line}`;
  return line === undefined ? shownFile(file) : `${shownFile(file)}:${line}`;
}

/** Writes a row such as ` 120 src/a.ts: 80 no-var (lines 3, 7, 9, …), 40 semi (lines 5, 8, 11, …)`. */
function fileRow(entries: readonly Entry[]): Row {
  const [first] = entries;
  const rules = [...groupBy(entries, ({ rule }) => rule).values()].sort((a, b) => b.length - a.length);
  const shown = rules.slice(0, RULES_PER_FILE);
  const hidden = rules.slice(RULES_PER_FILE);
  const parts = shown.map((some) => `${some.length} ${labelOf(some)}${firstLines(some)}`);
  if (hidden.length > 0) parts.push(`${hidden.flat().length} more (${pluralize(hidden.length, "rule")})`);
  const file = first?.file === undefined ? "without a file" : shownFile(first.file);
  return { text: ` ${entries.length} ${file}: ${parts.join(", ")}`, name: file, count: entries.length };
}

function firstLines(entries: readonly Entry[]): string {
  const lines = [...new Set(entries.flatMap(({ line }) => line ?? []))].sort((a, b) => a - b);
  if (lines.length === 0) return "";
  const rest = lines.length > PLACES_PER_FILE ? ", …" : "";
  return ` (${linesText(lines.slice(0, PLACES_PER_FILE))}${rest})`;
}
