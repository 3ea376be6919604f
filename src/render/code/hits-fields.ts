import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { CodeAnswer, DetailLevel, Hit, SymbolPlace } from "../../model/hit.ts";
import { raiseBudget, readLinesWords } from "../reader/reader.ts";
import type { View } from "../rendered.ts";

/** The version of the shapes below. */
export const PROTOCOL_VERSION = "1.0";

/** How much of the content `concise` and `context` show. */
export const PREVIEW_CHARACTERS = 200;
export const BODY_CHARACTERS = 800;
const MAX_SIGNATURE = 300;
const MAX_NAME = 160;
/** What a heading, which may be a whole sentence, is cut down to; a name without blanks is what a caller asks for next. */
const LEAST_HEADING = 48;
/** Saying what was cut takes as many characters. */
const CUT_MARK = 16;

/** Tokens per result, at most. Only `detailed` has whatever there is. */
const LEVEL_TOKENS: Readonly<Partial<Record<DetailLevel, number>>> = {
  location: 60,
  signature: 120,
  concise: 180,
  context: 500,
};

/** What is left of texts and lists while a result has more tokens than its level allows. */
const SCALES = [1, 0.8, 0.6, 0.45, 0.33, 0.25, 0.18, 0.12, 0.08];

interface HitShape {
  readonly level: DetailLevel;
  readonly compact: boolean;
}

/** One result as a program reads it, within the tokens of its level. Fields that do not apply are left out. */
export function hitJson(hit: Hit, shape: HitShape): Record<string, unknown> {
  const most = LEVEL_TOKENS[shape.level];
  let fields: Record<string, unknown> = {};
  for (const scale of SCALES) {
    fields = fieldsOf(hit, shape, scale);
    if (most === undefined || estimateTokens(JSON.stringify(fields)) * TOKEN_SAFETY_FACTOR <= most) break;
  }
  return fields;
}

function fieldsOf(hit: Hit, { level, compact }: HitShape, scale: number): Record<string, unknown> {
  const at = LEVELS.indexOf(level);
  const isWhole = level === "detailed";
  const clip = (text: string | undefined, most: number): string | undefined =>
    isWhole || text === undefined ? text : clipped(text, Math.round(most * scale));
  const preview = (most: number): string => contentPreview(hit.content ?? "", Math.round(most * scale));
  return defined({
    path: hit.path,
    line_start: hit.lineStart,
    line_end: hit.lineEnd,
    kind: hit.kind,
    name: isWhole ? hit.name : shortName(hit.name, scale),
    result_id: hit.resultId,
    score: isWhole ? hit.score : round(hit.score),
    similarity_score: hit.similarity === undefined || isWhole ? hit.similarity : round(hit.similarity),
    match: hit.match,
    stale: hit.stale,
    ...(at >= 1 && {
      qualified_name: clip(hit.qualifiedName, MAX_NAME),
      signature: clip(hit.signature, MAX_SIGNATURE),
      heading: clip(hit.heading, MAX_NAME),
      language: hit.language,
      visibility: hit.visibility,
    }),
    ...(!compact && {
      content: level === "concise" ? preview(PREVIEW_CHARACTERS) : isWhole ? hit.content : undefined,
      body_preview: level === "context" ? preview(BODY_CHARACTERS) : undefined,
    }),
    ...(at >= 3 && {
      parent: hit.parent,
      ...(!compact && relatedFields(hit.related ?? [], isWhole ? 1 : scale)),
    }),
    ...(isWhole && {
      ...(!compact && { context_before: hit.contextBefore, context_after: hit.contextAfter }),
      chunk_id: hit.resultId,
    }),
  });
}

function shortName(name: string | undefined, scale: number): string | undefined {
  if (name === undefined) return undefined;
  const most = /\s/.test(name) ? Math.max(LEAST_HEADING, Math.round(MAX_NAME * scale)) : MAX_NAME;
  return clipped(name, most);
}

/** The most relevant of the related symbols, and how many there are besides. */
function relatedFields(related: readonly SymbolPlace[], scale: number): Record<string, unknown> {
  if (related.length === 0) return {};
  const shown = related.slice(0, Math.ceil(related.length * scale));
  const left = related.length - shown.length;
  return { related_symbols: shown.map(placeJson), related_left_out: left > 0 ? left : undefined };
}

/** The first characters of a text, never half of a surrogate pair. */
function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, "");
}

/** The beginning of a line of text, and how many characters were left out. */
function clipped(text: string, most: number): string {
  if (text.length <= most + CUT_MARK) return text;
  const head = beginningOf(text, most);
  return `${head}… +${text.length - head.length} characters`;
}

const LEVELS: readonly DetailLevel[] = ["location", "signature", "concise", "context", "detailed"];

/** A level and those below it, the most detailed first. */
export function levelsDown(level: DetailLevel): DetailLevel[] {
  return LEVELS.slice(0, LEVELS.indexOf(level) + 1).reverse();
}

/** What a result says of itself that was shown at a lower level than was asked for. */
export function loweredNote({ path, lineStart, lineEnd }: Hit, level: DetailLevel, view: View): string {
  const ways = [raiseBudget(view), readLinesWords(path, `${lineStart}-${lineEnd}`, view.reader)];
  return `cut to level ${level}: ${ways.filter(Boolean).join(", or ")}`;
}

function placeJson({ kind, name, path, line }: SymbolPlace): SymbolPlace {
  return { kind, name, path, line };
}

/** The metadata of a reply; compact leaves out what is as expected. Results that the budget cut off make it truncated. */
export function fullMetadata(
  { metadata }: Pick<CodeAnswer, "metadata">,
  { isCut, compact = false }: { readonly isCut: boolean; readonly compact?: boolean },
): Record<string, unknown> {
  const completeness =
    metadata.result_completeness === "partial" ? "partial" : isCut ? "truncated" : "complete";
  const whole = {
    pith_protocol_version: PROTOCOL_VERSION,
    ...metadata,
    result_completeness: completeness,
  };
  if (!compact) return whole;
  const expected: Readonly<Record<string, string>> = {
    freshness_status: "fresh",
    indexing_status: "ready",
    result_completeness: "complete",
    ref: "live",
  };
  return Object.fromEntries(Object.entries(whole).filter(([name, value]) => expected[name] !== value));
}

/** The beginning of a text, cut after a line or a word, and how much was left out. */
export function contentPreview(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = beginningOf(text, most);
  const line = head.lastIndexOf("\n");
  const word = head.lastIndexOf(" ");
  const end = line > most / 2 ? line : word > most / 2 ? word : head.length;
  const kept = head.slice(0, end).trimEnd();
  const left =
    end === line
      ? pluralize(linesIn(text) - linesIn(kept), "line")
      : pluralize(text.length - kept.length, "character");
  return `${kept} … +${left}`;
}

function linesIn(text: string): number {
  return text.split("\n").length;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
