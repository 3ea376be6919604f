import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { CodeAnswer, DetailLevel, Hit, SymbolPlace } from "../../model/hit.ts";
import { describeLargerBudget, describeReadCall } from "../reader/reader.ts";
import type { View } from "../rendered.ts";
import { usesLine } from "./uses-line.ts";

/** The version of the JSON fields of replies about code. */
export const PROTOCOL_VERSION = "1.0";

/** The most characters of code that a result shows at the detail levels `concise` and `context`. */
export const PREVIEW_CHARACTERS = 200;
export const BODY_CHARACTERS = 800;
const MAX_SIGNATURE = 300;
const MAX_NAME = 160;
/**
 * The shortest length to which a heading, which may be a whole sentence, is truncated. A name without spaces is not
 * shortened this far, because a caller may look it up next.
 */
const MIN_HEADING = 48;
/** The length of the mark that says how many characters were cut. */
const CUT_MARK = 16;

/** The most tokens of one result, by detail level. The level `detailed` has no limit. */
const LEVEL_TOKENS: Readonly<Partial<Record<DetailLevel, number>>> = {
  location: 60,
  signature: 120,
  concise: 180,
  context: 500,
};

/**
 * Factors by which the texts and lists of a result are shortened, in order, until it fits the tokens of its detail
 * level.
 */
const SCALES = [1, 0.8, 0.6, 0.45, 0.33, 0.25, 0.18, 0.12, 0.08];

interface HitShape {
  readonly level: DetailLevel;
  readonly compact: boolean;
}

/** The JSON fields of one result, within the tokens of its detail level. Fields that do not apply are left out. */
export function hitJson(hit: Hit, shape: HitShape): Record<string, unknown> {
  const maxTokens = LEVEL_TOKENS[shape.level];
  let fields: Record<string, unknown> = {};
  for (const scale of SCALES) {
    fields = fieldsOf(hit, shape, scale);
    if (maxTokens === undefined || estimateTokens(JSON.stringify(fields)) * TOKEN_SAFETY_FACTOR <= maxTokens)
      break;
  }
  return fields;
}

function fieldsOf(hit: Hit, { level, compact }: HitShape, scale: number): Record<string, unknown> {
  const at = LEVELS.indexOf(level);
  const isWhole = level === "detailed";
  const clip = (text: string | undefined, maxLength: number): string | undefined =>
    isWhole || text === undefined ? text : clipped(text, Math.round(maxLength * scale));
  const preview = (maxLength: number): string =>
    contentPreview(hit.content ?? "", Math.round(maxLength * scale));
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
    further_place: hit.isFurther,
    stale: hit.stale,
    ...(at >= 1 && {
      qualified_name: clip(hit.qualifiedName, MAX_NAME),
      signature: clip(hit.signature, MAX_SIGNATURE),
      heading: clip(hit.heading, MAX_NAME),
      language: hit.language,
      visibility: hit.visibility,
      uses: hit.uses === undefined || compact ? undefined : usesLine(hit.uses),
    }),
    ...(!compact && {
      content: level === "concise" ? preview(PREVIEW_CHARACTERS) : isWhole ? hit.content : undefined,
      body_preview: level === "context" ? preview(BODY_CHARACTERS) : undefined,
    }),
    ...(at >= 3 && {
      parent: hit.parent,
      ...(!compact && relatedFields(hit.related ?? [], isWhole ? 1 : scale)),
      ...(!compact && linkFields(hit, isWhole ? 1 : scale)),
    }),
    ...(isWhole && {
      ...(!compact && { context_before: hit.contextBefore, context_after: hit.contextAfter }),
      chunk_id: hit.resultId,
    }),
  });
}

function shortName(name: string | undefined, scale: number): string | undefined {
  if (name === undefined) return undefined;
  const maxLength = /\s/.test(name) ? Math.max(MIN_HEADING, Math.round(MAX_NAME * scale)) : MAX_NAME;
  return clipped(name, maxLength);
}

/** The most relevant related symbols, and the number of the others. */
function relatedFields(related: readonly SymbolPlace[], scale: number): Record<string, unknown> {
  if (related.length === 0) return {};
  const shown = related.slice(0, Math.ceil(related.length * scale));
  const left = related.length - shown.length;
  return { related_symbols: shown.map(placeJson), related_left_out: left > 0 ? left : undefined };
}

/** The functions and tests that use the definition. The lists name only uses that are certain, so they claim no total. */
function linkFields({ callers = [], tests = [] }: Hit, scale: number): Record<string, unknown> {
  const part = (places: readonly SymbolPlace[]): readonly SymbolPlace[] | undefined =>
    places.length === 0 ? undefined : places.slice(0, Math.ceil(places.length * scale)).map(placeJson);
  return { called_by: part(callers), tests: part(tests) };
}

/** The first characters of a text, without half of a surrogate pair at the end. */
function beginningOf(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
}

/** The beginning of a text, with a mark that says how many characters are left out. */
function clipped(text: string, maxLength: number): string {
  if (text.length <= maxLength + CUT_MARK) return text;
  const head = beginningOf(text, maxLength);
  return `${head}… +${text.length - head.length} characters`;
}

const LEVELS: readonly DetailLevel[] = ["location", "signature", "concise", "context", "detailed"];

/** A detail level and those below it, the most detailed first. */
export function levelsDown(level: DetailLevel): DetailLevel[] {
  return LEVELS.slice(0, LEVELS.indexOf(level) + 1).reverse();
}

/** The note on a result that is shown at a lower detail level than the caller asked for, because it did not fit. */
export function loweredNote({ path, lineStart, lineEnd }: Hit, level: DetailLevel, view: View): string {
  const ways = [describeLargerBudget(view), describeReadCall(path, `${lineStart}-${lineEnd}`, view.reader)];
  return `cut to level ${level}: ${ways.filter(Boolean).join(", or ")}`;
}

function placeJson({ kind, name, path, line }: SymbolPlace): SymbolPlace {
  return { kind, name, path, line };
}

/**
 * The metadata of a reply. The compact form leaves out fields that have their expected values. If the budget cut
 * results off, the reply is marked as truncated.
 */
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

/** The beginning of a text, cut at the end of a line or a word, with a mark that says how much is left out. */
export function contentPreview(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = beginningOf(text, maxLength);
  const line = head.lastIndexOf("\n");
  const word = head.lastIndexOf(" ");
  const end = line > maxLength / 2 ? line : word > maxLength / 2 ? word : head.length;
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
