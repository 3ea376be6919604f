import type { Budget } from "../kernel/budget.ts";
import type { CodeAnswer, DetailLevel, ExplainLevel, Hit } from "../model/hit.ts";
import { contentPreview, fullMetadata, hitJson, reasonsJson, PREVIEW_CHARACTERS } from "./hits-fields.ts";
import { hitsMarkdown, markdownHead } from "./hits-markdown.ts";
import type { Rendered, View } from "./rendered.ts";
import { shownPath } from "./shown-path.ts";

/** An answer with how it is to be shown. */
export interface HitsData {
  readonly answer: CodeAnswer;
  readonly level: DetailLevel;
  readonly compact: boolean;
  readonly explain: ExplainLevel;
  /** The cursor that goes on after this many hits of the page. */
  cursorAfter(shown: number): string;
}

/** Room for the line that says what was left out, and for the frame of a JSON reply. */
const FOOTER = "+1234 more: cursor=1a.abcdef".repeat(2);
const JSON_FRAME = "x".repeat(700);

/** Search results and symbol lookups in every format. */
export function renderHits(data: HitsData, { format, budget }: View): Rendered {
  const { answer } = data;
  const meta = { ...fullMetadata(answer), total: answer.total, project_id: answer.projectId };
  if (format === "json") return renderJson(data, budget, meta);
  budget.reserve(FOOTER);
  const head = format === "markdown" ? markdownHead(data) : [];
  for (const line of head) budget.reserve(`${line}\n`);
  const lines = (hit: Hit, index: number) =>
    format === "markdown" ? hitsMarkdown(hit, index, data) : hitText(hit, data);
  const { shown, pieces } = fill(answer.hits, budget, lines);
  const more = moreOf(data, shown);
  const text = [...head, ...pieces, ...footer(data, more)].join("\n");
  return { text, meta: { ...meta, ...(more !== undefined && { cursor: more.cursor }) } };
}

/** As many hits as the budget holds; at least one, cut if need be. */
function fill(hits: readonly Hit[], budget: Budget, render: (hit: Hit, index: number) => string) {
  const pieces: string[] = [];
  for (const [index, hit] of hits.entries()) {
    const piece = render(hit, index);
    if (budget.take(piece)) pieces.push(piece);
    else {
      if (index === 0) pieces.push(cut(piece, budget));
      break;
    }
  }
  return { shown: pieces.length, pieces };
}

function cut(piece: string, budget: Budget): string {
  const lines = piece.split("\n");
  const kept: string[] = [];
  for (const line of lines) {
    if (!budget.take(`${line}\n`)) break;
    kept.push(line);
  }
  const first = kept.length === 0 ? [(lines[0] ?? "").slice(0, 200)] : kept;
  return [...first, `… ${lines.length - kept.length} lines left out: read them by their range`].join("\n");
}

interface More {
  readonly count: number;
  readonly cursor: string;
}

function moreOf(data: HitsData, shown: number): More | undefined {
  const count = data.answer.total - data.answer.offset - shown;
  return count > 0 ? { count, cursor: data.cursorAfter(shown) } : undefined;
}

function hitText(hit: Hit, data: HitsData): string {
  const range = hit.lineEnd > hit.lineStart ? `${hit.lineStart}-${hit.lineEnd}` : `${hit.lineStart}`;
  const marks = [
    hit.match?.replace("_", "-"),
    hit.stale === true ? "stale" : undefined,
    hit.meantOnly === true && data.explain === "off" ? `meaning ${hit.similarity?.toFixed(2)}` : undefined,
    explanation(hit, data.explain),
  ];
  const suffix = marks.flatMap((mark) => (mark === undefined ? [] : [` [${mark}]`])).join("");
  const head = `${shownPath(hit.path)}:${range} ${label(hit, data.level)}`.trimEnd() + suffix;
  return [head, ...details(hit, data)].join("\n");
}

/** The signature says kind and name; what it does not say (the class of a method) is added. */
function label(hit: Hit, level: DetailLevel): string {
  if (level === "location") return hit.kind === undefined ? "" : `${hit.kind} ${hit.name ?? ""}`;
  if (hit.signature === undefined) return clip(hit.heading ?? "");
  const signature = clip(hit.signature);
  const owner =
    hit.qualifiedName?.slice(0, -(hit.name?.length ?? 0)).replace(/[^\p{L}\p{N}_>)\]]+$/u, "") ?? "";
  const named =
    hit.name === undefined || signature.includes(hit.name)
      ? signature
      : `${hit.kind ?? ""} ${hit.name} ${signature}`.trim();
  return owner === "" || signature.includes(owner) ? named : `${named} in ${owner}`;
}

/** Ten hits fit into 400 tokens; whoever needs a longer signature whole asks for JSON or reads the line. */
const MAX_SIGNATURE = 110;

function clip(signature: string): string {
  return signature.length <= MAX_SIGNATURE ? signature : `${signature.slice(0, MAX_SIGNATURE - 1)}…`;
}

function details(hit: Hit, { level, compact }: HitsData): string[] {
  if (level === "location" || level === "signature" || compact) return [];
  if (level === "concise") return [indent(contentPreview(hit.content ?? "", PREVIEW_CHARACTERS))];
  const lines = [
    level === "context" ? indent(contentPreview(hit.content ?? "", BODY_CHARACTERS)) : numbered(hit),
  ];
  if (hit.parent !== undefined)
    lines.push(`  in ${hit.parent.kind} ${hit.parent.name} line ${hit.parent.line}`);
  if (hit.related !== undefined)
    lines.push(
      `  uses ${hit.related.map(({ name, path, line }) => `${name} ${shownPath(path)}:${line}`).join(", ")}`,
    );
  return lines;
}

/** About 220 tokens of code. */
const BODY_CHARACTERS = 800;

function numbered({ contextBefore, content, contextAfter, lineStart }: Hit): string {
  const before = contextBefore === undefined ? [] : contextBefore.split("\n");
  const all = [
    ...before,
    ...(content ?? "").split("\n"),
    ...(contextAfter === undefined ? [] : contextAfter.split("\n")),
  ];
  return all.map((line, index) => `${lineStart - before.length + index}\t${line}`).join("\n");
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}

function explanation({ reasons, score }: Hit, level: ExplainLevel): string | undefined {
  if (level === "off" || reasons === undefined) return undefined;
  if (level === "full")
    return Object.values(reasonsJson(reasons, "full")).length === 0 ? undefined : fullReasons(reasons);
  const tags = [
    reasons.exact_match_boost > 0 ? "exact" : undefined,
    reasons.qualified_name_boost > 0 ? "qualified" : undefined,
    reasons.definition_boost > 0 ? "def" : undefined,
    reasons.path_affinity > 0 ? "path" : undefined,
    reasons.bm25_score > 0 ? "words" : undefined,
    reasons.semantic_similarity === undefined
      ? undefined
      : `meaning ${reasons.semantic_similarity.toFixed(2)}`,
    score.toFixed(2),
  ];
  return tags.filter((tag) => tag !== undefined).join(" ");
}

function fullReasons(reasons: NonNullable<Hit["reasons"]>): string {
  return Object.entries(reasonsJson(reasons, "full"))
    .map(([name, value]) => `${name.replace(/_(?:boost|score|affinity|match)$/, "")} ${value}`)
    .join(" ");
}

/** What is not as expected, and how to go on; or that nothing was found, and where. */
function footer(data: HitsData, more: More | undefined): string[] {
  const { hits, metadata, nearest, offset } = data.answer;
  const lines: string[] = [];
  if (hits.length === 0 && offset === 0) lines.push(absence(data));
  if (nearest !== undefined && nearest.length > 0) lines.push(`Nearest: ${nearest.join(", ")}`);
  if (metadata.freshness_status !== "fresh") lines.push(freshnessWord(metadata));
  const semantic = semanticWord(metadata);
  if (semantic !== undefined) lines.push(semantic);
  if (more !== undefined) lines.push(`+${more.count} more: cursor=${more.cursor}`);
  return lines;
}

function freshnessWord({ indexing_status, pending_files: pending }: CodeAnswer["metadata"]): string {
  if (pending === undefined) return "(stale: there was no time to look for changes in all files)";
  return indexing_status === "ready"
    ? `(stale: ${pending} changed files are not in the index yet)`
    : `(partial: indexing, ${pending} files to go)`;
}

/** What meaning could not do for this answer. */
function semanticWord({ semantic }: CodeAnswer["metadata"]): string | undefined {
  if (semantic === undefined) return undefined;
  const share = `${Math.floor((semantic.coverage ?? 1) * 100)} %`;
  switch (semantic.status) {
    case "unavailable":
    case "off":
      return `(words only: ${semantic.reason ?? "no embeddings"})`;
    case "partial":
      return `(meaning: ${share} of files embedded so far)`;
    case "former_model":
      return `(meaning by the former model ${semantic.model ?? ""}: the new one has ${share} of files)`;
    case "used":
    case "not_needed":
      return undefined;
    default:
      return semantic.status satisfies never;
  }
}

function absence({ answer: { searched } }: HitsData): string {
  const left = [
    searched.pending > 0 ? `${searched.pending} not indexed` : undefined,
    searched.tooLarge > 0 ? `${searched.tooLarge} too large` : undefined,
    searched.minified > 0 ? `${searched.minified} minified` : undefined,
    searched.binary > 0 ? `${searched.binary} binary` : undefined,
  ].filter((part) => part !== undefined);
  const without = left.length === 0 ? "" : `; left out: ${left.join(", ")}`;
  return `No match in ${searched.files} files${without}`;
}

function renderJson(data: HitsData, budget: Budget, meta: Readonly<Record<string, unknown>>): Rendered {
  const { answer, explain } = data;
  budget.reserve(JSON_FRAME);
  const results: unknown[] = [];
  for (const hit of answer.hits) {
    const piece = hitJson(hit, data);
    if (!budget.take(JSON.stringify(piece)) && results.length > 0) break;
    results.push(piece);
  }
  const more = moreOf(data, results.length);
  const reasons =
    explain === "off"
      ? undefined
      : answer.hits
          .slice(0, results.length)
          .flatMap(({ reasons }, index) =>
            reasons === undefined ? [] : [{ result_index: index, ...reasonsJson(reasons, explain) }],
          );
  const whole = {
    results,
    total_count: answer.total,
    project_id: answer.projectId,
    ...(data.level === "detailed" &&
      answer.databaseName !== undefined && { database_name: answer.databaseName }),
    latency_ms: answer.elapsedMs,
    ...(more !== undefined && { cursor: more.cursor }),
    ...(answer.nearest !== undefined && { nearest_names: answer.nearest }),
    ...(answer.hits.length === 0 && { message: absence(data) }),
    metadata: {
      ...fullMetadata(answer, data.compact),
      ...(reasons !== undefined && { ranking_reasons: reasons }),
    },
  };
  return {
    text: JSON.stringify(whole),
    meta: { ...meta, ...(more !== undefined && { cursor: more.cursor }) },
  };
}
