import { MAX_TOKENS_CEILING, type Budget } from "../kernel/budget.ts";
import { counted } from "../kernel/counted.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { FileOutline } from "../model/index-report.ts";
import { PROTOCOL_VERSION } from "./hits-fields.ts";
import { entriesOf, importsLine, type OutlineEntry } from "./outline-entries.ts";
import type { Rendered, View } from "./rendered.ts";
import { shownPath } from "./shown-path.ts";

/** A file's symbols: one line each, nested by indentation. */
export function renderOutline(outline: FileOutline, { format, budget }: View): Rendered {
  const metadata = {
    pith_protocol_version: PROTOCOL_VERSION,
    freshness_status: outline.metadata.freshness_status,
    indexing_status: outline.metadata.indexing_status,
    ref: outline.metadata.ref,
    symbol_count: outline.symbolCount,
  };
  const meta = { ...metadata, path: outline.path, language: outline.language };
  if (format === "json") return { text: outlineJson(outline, metadata, budget), meta };
  const entries = format === "markdown" ? entriesOf(outline) : outline.symbols;
  const rows = widestRows(format === "markdown" ? markdownRows : textRows, entries, budget);
  const notes = notesOf(outline);
  const head =
    format === "markdown"
      ? [`# ${shownPath(outline.path)}`]
      : [
          `${shownPath(outline.path)} ${outline.language} ${counted(outline.lineCount, "line")}`,
          ...importsLine(outline),
        ];
  for (const line of [...head, ...notes, REST_ROOM]) budget.reserve(line);
  const kept = fitting(entries, rows, budget);
  const rest = kept.size === rows.length ? [] : [`… ${restOf(entries, kept, budget)}`];
  const shown = rows.filter((_, row) => kept.has(row));
  return { text: [...head, ...shown, ...notes, ...rest].join("\n"), meta };
}

const REST_ROOM =
  "… 1234 of 12345 symbols left out, the first at line 123456: raise max_tokens, use depth=top, or read from there";

/** Too much for the budget: imports go first, then the deepest rows, so that what remains is the file's whole shape. */
function fitting(
  entries: readonly OutlineEntry[],
  rows: readonly string[],
  budget: Budget,
): ReadonlySet<number> {
  const depths = depthsOf(entries);
  const worth = (row: number) => (entries[row]?.kind === "use" ? Infinity : (depths[row] ?? 0));
  const order = [...rows.keys()].sort((a, b) => (worth(a) === worth(b) ? a - b : worth(a) - worth(b)));
  const kept = new Set<number>();
  for (const row of order) {
    if (!budget.take(`${rows[row] ?? ""}\n`)) break;
    kept.add(row);
  }
  return kept;
}

/** What is missing, and what gets it: only ways that are still open. */
function restOf(entries: readonly OutlineEntry[], kept: ReadonlySet<number>, budget: Budget): string {
  const first = entries.find((_, row) => !kept.has(row));
  const ways = [
    ...(budget.maxTokens < MAX_TOKENS_CEILING ? ["raise max_tokens"] : []),
    ...(entries.some(({ parent }) => parent !== undefined) ? ["use depth=top"] : []),
    "read from there",
  ];
  return `${entries.length - kept.size} of ${entries.length} symbols left out, the first at line ${first?.lineStart ?? 1}: ${ways.join(" or ")}`;
}

function depthsOf(entries: readonly OutlineEntry[]): number[] {
  const depths: number[] = [];
  for (const { parent } of entries) depths.push(parent === undefined ? 0 : (depths[parent] ?? 0) + 1);
  return depths;
}

/** How much of a signature an outline shows: all that fits, in these steps, and at last the names; a lookup shows it whole. */
const SIGNATURE_WIDTHS = [200, 100, 60, 40, 0] as const;
/** Narrower ones are taken only where all symbols would not fit otherwise. */
const COMFORTABLE_WIDTH = 60;
/** A long file's outline is for finding one's way: beyond this, narrower signatures do. */
const COMFORTABLE_TOKENS = 1_500;

type Rows = (entries: readonly OutlineEntry[], width: number) => string[];

function widestRows(rowsOf: Rows, entries: readonly OutlineEntry[], budget: Budget): string[] {
  let rows: string[] = [];
  for (const width of SIGNATURE_WIDTHS) {
    rows = rowsOf(entries, width);
    const room = width > COMFORTABLE_WIDTH ? COMFORTABLE_TOKENS : Infinity;
    if (estimateTokens(rows.join("\n")) * 1.1 < Math.min(room, budget.remainingTokens)) break;
  }
  return rows;
}

function textRows(symbols: readonly OutlineEntry[], width: number): string[] {
  const depths = depthsOf(symbols);
  const parents = new Set(symbols.map(({ parent }) => parent));
  return symbols.map(({ lineStart, signature, kind, name }, index) => {
    const indent = " ".repeat(depths[index] ?? 0);
    if (width === 0) return `${indent}${lineStart} ${parents.has(index) ? `${kind} ` : ""}${name}`;
    // Names that one statement unpacks share its text: once is enough.
    const shared =
      signature !== "" && symbols[index - 1]?.signature === signature && !signature.startsWith(name);
    const what =
      signature === "" || shared ? `${kind} ${name}` : kind === "method" ? shortMethod(signature) : signature;
    return `${indent}${lineStart} ${clip(what, width)}`;
  });
}

/** A method inside its class needs no word that says so, and no mention of its instance. */
function shortMethod(signature: string): string {
  return signature
    .replace(/^((?:pub(?:\([^)]*\))? |async |static )*)(?:def|fn|func|function|fun) /, "$1")
    .replace(/\((?:self|cls|&self|&mut self|mut self)(?:, |(?=\)))/, "(");
}

function markdownRows(entries: readonly OutlineEntry[], width: number): string[] {
  const depths = depthsOf(entries);
  return entries.map(({ lineStart, lineEnd, kind, name, signature }, index) => {
    const what = width === 0 || kind === "use" ? "" : ` \`${clip(signature, width)}\``;
    return `${"  ".repeat(depths[index] ?? 0)}- ${kind} **${name}** (${lineStart}-${lineEnd})${what}`;
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
  readonly visibility?: string;
  readonly signature?: string;
  readonly children?: Node[];
}

function outlineJson(
  outline: FileOutline,
  metadata: Readonly<Record<string, unknown>>,
  budget: Budget,
): string {
  const { path, language } = outline;
  const entries = entriesOf(outline);
  budget.reserve(JSON.stringify({ path, language, metadata }) + REST_ROOM.repeat(2));
  const parts = entries.map(nodeOf);
  const kept = fitting(
    entries,
    parts.map((part) => JSON.stringify({ ...part, children: [] })),
    budget,
  );
  const nodes = parts.map((part): Node & { readonly children: Node[] } => ({ ...part, children: [] }));
  const roots: Node[] = [];
  for (const [row, node] of nodes.entries()) {
    const parent = entries[row]?.parent;
    // What is kept is the upper part of the tree: a parent is there whenever its child is.
    if (kept.has(row)) (parent === undefined ? roots : nodes[parent]?.children)?.push(node);
  }
  const left = entries.length - kept.size;
  const whole = {
    file_path: path,
    language,
    symbols: roots.map(withoutEmpty),
    ...(left > 0 && { symbols_left_out: left, hint: restOf(entries, kept, budget) }),
    ...(outline.hasErrors && { has_errors: true }),
    ...(outline.stale && { stale: true }),
    metadata: { ...metadata, ...(left > 0 && { result_completeness: "truncated" }) },
  };
  return JSON.stringify(whole);
}

function nodeOf({ kind, name, lineStart, lineEnd, visibility, signature }: OutlineEntry): Node {
  return {
    kind,
    name,
    line_start: lineStart,
    line_end: lineEnd,
    ...(visibility !== undefined && { visibility }),
    ...(signature !== "" && { signature }),
  };
}

function withoutEmpty({ children, ...node }: Node): Node {
  return children === undefined || children.length === 0
    ? node
    : { ...node, children: children.map(withoutEmpty) };
}
