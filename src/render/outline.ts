import { MAX_TOKENS_CEILING, type Budget } from "../kernel/budget.ts";
import { counted } from "../kernel/counted.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { FileOutline } from "../model/index-report.ts";
import type { CodeSymbol } from "../model/symbol.ts";
import { PROTOCOL_VERSION } from "./hits-fields.ts";
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
  const rows = widestRows(format === "markdown" ? markdownRows : textRows, outline, budget);
  const notes = notesOf(outline);
  const head =
    format === "markdown"
      ? `# ${shownPath(outline.path)}`
      : `${shownPath(outline.path)} ${outline.language} ${counted(outline.lineCount, "line")}`;
  for (const line of [head, ...notes, REST_ROOM]) budget.reserve(line);
  const kept = fitting(outline, rows, budget);
  const rest = kept.size === rows.length ? [] : [`… ${restOf(outline, kept, budget)}`];
  const shown = rows.filter((_, row) => kept.has(row));
  return { text: [head, ...shown, ...notes, ...rest].join("\n"), meta };
}

const REST_ROOM =
  "… 1234 of 12345 symbols left out, the first at line 123456: raise max_tokens, use depth=top, or read from there";

/** Too much for the budget: the deepest rows go first, so that what remains is the file's whole shape. */
function fitting({ symbols }: FileOutline, rows: readonly string[], budget: Budget): ReadonlySet<number> {
  const depths = depthsOf(symbols);
  const order = [...rows.keys()].sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0) || a - b);
  const kept = new Set<number>();
  for (const row of order) {
    if (!budget.take(`${rows[row] ?? ""}\n`)) break;
    kept.add(row);
  }
  return kept;
}

/** What is missing, and what gets it: only ways that are still open. */
function restOf({ symbols }: FileOutline, kept: ReadonlySet<number>, budget: Budget): string {
  const first = symbols.find((_, row) => !kept.has(row));
  const ways = [
    ...(budget.maxTokens < MAX_TOKENS_CEILING ? ["raise max_tokens"] : []),
    ...(symbols.some(({ parent }) => parent !== undefined) ? ["use depth=top"] : []),
    "read from there",
  ];
  return `${symbols.length - kept.size} of ${symbols.length} symbols left out, the first at line ${first?.lineStart ?? 1}: ${ways.join(" or ")}`;
}

function depthsOf(symbols: readonly CodeSymbol[]): number[] {
  const depths: number[] = [];
  for (const { parent } of symbols) depths.push(parent === undefined ? 0 : (depths[parent] ?? 0) + 1);
  return depths;
}

/** How much of a signature an outline shows: all that fits, in these steps, and at last the names; a lookup shows it whole. */
const SIGNATURE_WIDTHS = [200, 100, 60, 40, 0] as const;
/** Narrower ones are taken only where all symbols would not fit otherwise. */
const COMFORTABLE_WIDTH = 60;
/** A long file's outline is for finding one's way: beyond this, narrower signatures do. */
const COMFORTABLE_TOKENS = 1_500;

type Rows = (outline: FileOutline, width: number) => string[];

function widestRows(rowsOf: Rows, outline: FileOutline, budget: Budget): string[] {
  let rows: string[] = [];
  for (const width of SIGNATURE_WIDTHS) {
    rows = rowsOf(outline, width);
    const room = width > COMFORTABLE_WIDTH ? COMFORTABLE_TOKENS : Infinity;
    if (estimateTokens(rows.join("\n")) * 1.1 < Math.min(room, budget.remainingTokens)) break;
  }
  return rows;
}

function textRows({ symbols }: FileOutline, width: number): string[] {
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

function markdownRows({ symbols }: FileOutline, width: number): string[] {
  const depths = depthsOf(symbols);
  return symbols.map(
    ({ lineStart, lineEnd, kind, name, signature }, index) =>
      `${"  ".repeat(depths[index] ?? 0)}- ${kind} **${name}** (${lineStart}-${lineEnd})${width === 0 ? "" : ` \`${clip(signature, width)}\``}`,
  );
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
  const { symbols, path, language } = outline;
  budget.reserve(JSON.stringify({ path, language, metadata }) + REST_ROOM.repeat(2));
  const parts = symbols.map(nodeOf);
  const kept = fitting(
    outline,
    parts.map((part) => JSON.stringify({ ...part, children: [] })),
    budget,
  );
  const nodes = parts.map((part): Node & { readonly children: Node[] } => ({ ...part, children: [] }));
  const roots: Node[] = [];
  for (const [row, node] of nodes.entries()) {
    const parent = symbols[row]?.parent;
    // What is kept is the upper part of the tree: a parent is there whenever its child is.
    if (kept.has(row)) (parent === undefined ? roots : nodes[parent]?.children)?.push(node);
  }
  const left = symbols.length - kept.size;
  const whole = {
    file_path: path,
    language,
    symbols: roots.map(withoutEmpty),
    ...(left > 0 && { symbols_left_out: left, hint: restOf(outline, kept, budget) }),
    ...(outline.hasErrors && { has_errors: true }),
    ...(outline.stale && { stale: true }),
    metadata: { ...metadata, ...(left > 0 && { result_completeness: "truncated" }) },
  };
  return JSON.stringify(whole);
}

function nodeOf({ kind, name, lineStart, lineEnd, visibility, signature }: CodeSymbol): Node {
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
