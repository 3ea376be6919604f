import type { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { FileOutline } from "../../model/index-report.ts";
import type { InstalledPackage } from "../../model/installed-package.ts";
import { maskedAt } from "../../model/masked.ts";
import { PROTOCOL_VERSION } from "./hits-fields.ts";
import { entriesOf, importsLine, type OutlineEntry } from "./outline-entries.ts";
import { byImportance, type Nesting, nestingOf, pageOf, describeRest } from "./outline-page.ts";
import { packageFields, packageNote } from "./package-note.ts";
import { maskedNoteSample, shownSecrets } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { shownPath } from "../shown-path.ts";

/** The outline of a file, and the position of the page to show. */
export interface OutlineReply {
  readonly outline: FileOutline;
  /** The number of symbols on earlier pages. */
  readonly offset: number;
  /** The installed dependency that the file is in, if the caller named one. */
  readonly package?: InstalledPackage;
  /** Makes the cursor of the next page, given how many symbols have been shown up to it. */
  readonly cursorAfter: (shown: number) => string;
}

/** Writes the symbols of a file: one line each, nested by indentation. */
export function renderOutline(reply: OutlineReply, view: View): Rendered {
  const { masked = [] } = reply.outline;
  view.budget.reserve(maskedNoteSample(maskedAt(masked)));
  const rendered = renderEntries(reply, view);
  return { ...rendered, masked: shownSecrets(masked, rendered.text) };
}

function renderEntries(reply: OutlineReply, { format, budget, reader }: View): Rendered {
  const { outline, offset } = reply;
  const metadata = {
    pith_protocol_version: PROTOCOL_VERSION,
    freshness_status: outline.metadata.freshness_status,
    indexing_status: outline.metadata.indexing_status,
    ref: outline.metadata.ref,
    symbol_count: outline.symbolCount,
  };
  const meta = {
    ...metadata,
    path: outline.path,
    language: outline.language,
    ...packageFields(reply.package),
  };
  if (format === "json") return jsonReply(outlineJson(reply, metadata, budget), { meta });
  const isMarkdown = format === "markdown";
  const entries = isMarkdown ? entriesOf(outline) : outline.symbols;
  const notes = notesOf(outline);
  const about = packageNote(reply.package);
  const head = [...(isMarkdown ? [`# ${shownPath(outline.path)}`] : textHead(reply)), ...about];
  for (const line of [...head, PAGE_SAMPLE, ...notes, REST_SAMPLE]) budget.reserve(line);
  const rows = widestRows(isMarkdown ? markdownRows : textRows, { entries, offset, budget });
  const page = pageOf(entries, reply, { budget, write: (row) => `${rows[row] ?? ""}\n` });
  const shown = page.shown.map((row) => rows[row] ?? "");
  const range = page.range === undefined ? [] : [`(${page.range})`];
  const rest = page.left === undefined ? [] : [`… ${describeRest(page.left, reader)}`];
  return { text: [...head, ...range, ...shown, ...notes, ...rest].join("\n"), meta };
}

function textHead({ outline, offset }: OutlineReply): string[] {
  const { path, language, lineCount } = outline;
  const first = `${shownPath(path)} ${language} ${pluralize(lineCount, "line")}`;
  return [first, ...(offset === 0 ? importsLine(outline) : [])];
}

/** Examples of the lines about the page and the rest; their lengths are reserved in the budget. */
const PAGE_SAMPLE = "(symbols 1234-1234 of 1234)";
const REST_SAMPLE =
  "… 1234 more of 12345 symbols (1234 field, 1234 macro, 1234 variant, 1234 fn): cursor=1234.abcdef";

/**
 * The most characters shown of a signature, tried in this order until all symbols of the outline fit. A width of 0
 * shows only names.
 */
const SIGNATURE_WIDTHS = [200, 100, 60, 40, 0] as const;
/**
 * The width of signatures that is still easy to read. Narrower ones are used only if the symbols would not fit
 * otherwise.
 */
const COMFORTABLE_WIDTH = 60;
/**
 * The size up to which an outline may have wider signatures. A larger one only serves for orientation, so it has
 * signatures of the comfortable width.
 */
const COMFORTABLE_TOKENS = 1_500;

type Rows = (entries: readonly OutlineEntry[], nestings: readonly Nesting[], width: number) => string[];

interface RowOptions {
  readonly entries: readonly OutlineEntry[];
  /** The number of entries of the outline on earlier pages. */
  readonly offset: number;
  readonly budget: Budget;
}

function widestRows(rowsOf: Rows, { entries, offset, budget }: RowOptions): string[] {
  const nestings = nestingOf(entries, offset);
  const left = byImportance(entries).slice(offset);
  let rows: string[] = [];
  for (const width of SIGNATURE_WIDTHS) {
    rows = rowsOf(entries, nestings, width);
    const room = width > COMFORTABLE_WIDTH ? COMFORTABLE_TOKENS : Infinity;
    const text = left.map((row) => rows[row]).join("\n");
    if (estimateTokens(text) * 1.1 < Math.min(room, budget.remainingTokens)) break;
  }
  return rows;
}

function textRows(symbols: readonly OutlineEntry[], nestings: readonly Nesting[], width: number): string[] {
  const parents = new Set(symbols.map(({ parent }) => parent));
  return symbols.map(({ lineStart, signature, kind, name }, index) => {
    const { depth = 0, owner } = nestings[index] ?? {};
    const indent = " ".repeat(depth);
    const within = owner === undefined ? "" : ` in ${owner}`;
    if (width === 0) return `${indent}${lineStart} ${parents.has(index) ? `${kind} ` : ""}${name}${within}`;
    // Names that one statement destructures (`const { a, b } = c`) share the text of that statement, which is written
    // once.
    const shared =
      signature !== "" && symbols[index - 1]?.signature === signature && !signature.startsWith(name);
    const what =
      signature === "" || shared ? `${kind} ${name}` : kind === "method" ? shortMethod(signature) : signature;
    return `${indent}${lineStart} ${clip(what, width)}${within}`;
  });
}

/**
 * The signature of a method without words that every method has: the keyword for functions (`def`, `fn`) and the
 * parameter `self`.
 */
function shortMethod(signature: string): string {
  return signature
    .replace(/^((?:pub(?:\([^)]*\))? |async |static )*)(?:def|fn|func|function|fun) /, "$1")
    .replace(/\((?:self|cls|&self|&mut self|mut self)(?:, |(?=\)))/, "(");
}

function markdownRows(
  entries: readonly OutlineEntry[],
  nestings: readonly Nesting[],
  width: number,
): string[] {
  return entries.map(({ lineStart, lineEnd, kind, name, signature }, index) => {
    const { depth = 0, owner } = nestings[index] ?? {};
    const within = owner === undefined ? "" : ` in ${owner}`;
    const what = width === 0 || kind === "use" ? "" : ` \`${clip(signature, width)}\``;
    return `${"  ".repeat(depth)}- ${kind} **${name}** (${lineStart}-${lineEnd})${within}${what}`;
  });
}

function clip(signature: string, width: number): string {
  return signature.length <= width ? signature : `${signature.slice(0, width - 1)}…`;
}

function notesOf(outline: FileOutline): string[] {
  const notes: string[] = [];
  if (!outline.parsed) notes.push("(no grammar for this file: it has no symbols, only text)");
  else if (outline.symbols.length === 0) notes.push("(no symbols)");
  if (outline.hasErrors) notes.push("(syntax errors: some symbols may be missing)");
  if (outline.stale) notes.push("(stale: the file has changed since it was indexed)");
  return notes;
}

interface Node {
  readonly kind: string;
  readonly name: string;
  readonly line_start: number;
  readonly line_end: number;
  /** The name of the enclosing symbol, if it is on an earlier page. */
  readonly parent?: string;
  readonly visibility?: string;
  readonly signature?: string;
  readonly children?: Node[];
}

function outlineJson(
  reply: OutlineReply,
  metadata: Readonly<Record<string, unknown>>,
  budget: Budget,
): object {
  const { outline, offset } = reply;
  const { path, language } = outline;
  const entries = entriesOf(outline);
  budget.reserve(
    JSON.stringify({ path, language, metadata, ...packageFields(reply.package) }) + REST_SAMPLE.repeat(2),
  );
  const parents = new Set(entries.map(({ parent }) => parent));
  const nestings = nestingOf(entries, offset);
  const nodes = entries.map((entry, row) => nodeOf(entry, nestings[row]?.owner));
  const write = (row: number): string =>
    `${JSON.stringify({ ...nodes[row], ...(parents.has(row) && { children: [] }) })},`;
  const { shown, left } = pageOf(entries, reply, { budget, write });
  return {
    file_path: path,
    language,
    ...packageFields(reply.package),
    symbols: treeOf(shown, nodes, entries),
    ...(left !== undefined && {
      symbols_left_out: left.count,
      left_out_kinds: left.kinds,
      cursor: left.cursor,
    }),
    ...(outline.hasErrors && { has_errors: true }),
    ...(outline.stale && { stale: true }),
    metadata: { ...metadata, ...(left !== undefined && { result_completeness: "truncated" }) },
  };
}

function nodeOf(
  { kind, name, lineStart, lineEnd, visibility, signature }: OutlineEntry,
  owner: string | undefined,
): Node {
  return {
    kind,
    name,
    line_start: lineStart,
    line_end: lineEnd,
    ...(owner !== undefined && { parent: owner }),
    ...(visibility !== undefined && { visibility }),
    ...(signature !== "" && { signature }),
  };
}

/** Arranges the entries of a page as a tree: each below its parent, if that is on the same page. */
function treeOf(shown: readonly number[], nodes: readonly Node[], entries: readonly OutlineEntry[]): Node[] {
  const placed = new Map<number, Node & { readonly children: Node[] }>();
  const roots: Node[] = [];
  for (const row of shown) {
    const node = nodes[row];
    if (node === undefined) continue;
    const own = { ...node, children: [] };
    placed.set(row, own);
    const parent = placed.get(entries[row]?.parent ?? -1);
    (parent === undefined ? roots : parent.children).push(own);
  }
  return roots.map(withoutEmpty);
}

function withoutEmpty({ children, ...node }: Node): Node {
  return children === undefined || children.length === 0
    ? node
    : { ...node, children: children.map(withoutEmpty) };
}
