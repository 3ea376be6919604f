import type {
  CodeAnswer,
  DetailLevel,
  ExplainLevel,
  Hit,
  RankingFactors,
  SymbolPlace,
} from "../model/hit.ts";
import { raiseBudget, readLinesWords } from "./reader.ts";
import type { View } from "./rendered.ts";

/** The version of the shapes below. */
export const PROTOCOL_VERSION = "1.0";

/** How much of the content `concise` shows. */
export const PREVIEW_CHARACTERS = 200;
const BODY_CHARACTERS = 800;
/** A level has 120 tokens a result. */
const MAX_SIGNATURE = 300;

/** One result as a program reads it. Fields that do not apply are left out. */
export function hitJson(
  hit: Hit,
  { level, compact }: { readonly level: DetailLevel; readonly compact: boolean },
): Record<string, unknown> {
  const at = LEVELS.indexOf(level);
  const heavy = !compact;
  return defined({
    path: hit.path,
    line_start: hit.lineStart,
    line_end: hit.lineEnd,
    kind: hit.kind,
    name: hit.name,
    result_id: hit.resultId,
    score: level === "detailed" ? hit.score : round(hit.score),
    similarity_score:
      hit.similarity === undefined || level === "detailed" ? hit.similarity : round(hit.similarity),
    match: hit.match,
    stale: hit.stale,
    ...(at >= 1 && {
      qualified_name: hit.qualifiedName,
      signature:
        hit.signature === undefined || hit.signature.length <= MAX_SIGNATURE
          ? hit.signature
          : `${hit.signature.slice(0, MAX_SIGNATURE - 1)}…`,
      heading: hit.heading,
      language: hit.language,
      visibility: hit.visibility,
    }),
    ...(at >= 2 &&
      heavy && {
        content: level === "detailed" ? hit.content : contentPreview(hit.content ?? "", PREVIEW_CHARACTERS),
      }),
    ...(at >= 3 && {
      body_preview:
        heavy && level === "context" ? contentPreview(hit.content ?? "", BODY_CHARACTERS) : undefined,
      parent: hit.parent,
      related_symbols: heavy ? hit.related?.map(placeJson) : undefined,
    }),
    ...(at >= 4 && {
      context_before: heavy ? hit.contextBefore : undefined,
      context_after: heavy ? hit.contextAfter : undefined,
      chunk_id: hit.resultId,
    }),
  });
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

/** The metadata of a reply; compact leaves out what is as expected. */
export function fullMetadata(
  { metadata }: Pick<CodeAnswer, "metadata">,
  compact = false,
): Record<string, unknown> {
  const whole = { pith_protocol_version: PROTOCOL_VERSION, ...metadata };
  if (!compact) return whole;
  const expected: Readonly<Record<string, string>> = {
    freshness_status: "fresh",
    indexing_status: "ready",
    result_completeness: "complete",
    ref: "live",
  };
  return Object.fromEntries(Object.entries(whole).filter(([name, value]) => expected[name] !== value));
}

/** The factors of a result: all of them, or those that count. */
export function reasonsJson(reasons: RankingFactors, level: ExplainLevel): Record<string, number> {
  const entries = Object.entries(reasons).map(([name, value]: [string, number]): [string, number] => [
    name,
    round(value),
  ]);
  return Object.fromEntries(level === "full" ? entries : entries.filter(([, value]) => value !== 0));
}

/** The beginning of a text, cut after a line or a word. */
export function contentPreview(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const line = head.lastIndexOf("\n");
  const word = head.lastIndexOf(" ");
  const end = line > most / 2 ? line : word > most / 2 ? word : most;
  return `${head.slice(0, end).trimEnd()} …`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
