import { pluralize } from "../../kernel/pluralize.ts";
import type { CodeAnswer, DetailLevel, Hit } from "../../model/hit.ts";
import { maskedAt, type MaskedSecret } from "../../model/masked.ts";
import { absence, moreOf, placesLeftOut, type HitsData, type More } from "./hits-data.ts";
import { contentPreview, fullMetadata, PREVIEW_CHARACTERS } from "./hits-fields.ts";
import { hitsJson } from "./hits-json.ts";
import { indexNotes } from "./index-notes.ts";
import { packageFields, packageNote } from "./package-note.ts";
import { projectFields, projectNotes } from "./project-notes.ts";
import { bodiesNote, bodyOf, isInWorkingSet, linksOf } from "./working-set.ts";
import { markdownHead, markdownPieces } from "./hits-markdown.ts";
import { explanation } from "./hits-reasons.ts";
import { usesLine } from "./uses-line.ts";
import { EVERY_TOOL, type Reader, describeReadCall, spellAgain, spellFor } from "../reader/reader.ts";
import { maskedNoteSample, shownSecrets } from "../masked-note.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { shownPath } from "../shown-path.ts";

/** An example of the lines that say what was left out; its length is reserved in the budget. */
const FOOTER = "+1234 more files: cursor=1a.abcdef".repeat(2);

/** Writes the results of a code search or a symbol lookup. */
export function renderHits(data: HitsData, view: View): Rendered {
  const { answer } = data;
  const secrets = secretsIn(answer.hits);
  view.budget.reserve(maskedNoteSample(maskedAt(secrets)));
  const { cursor, ...body } = view.format === "json" ? hitsJson(data, view) : written(data, view);
  const meta = {
    ...fullMetadata(answer, { isCut: cursor !== undefined }),
    total: answer.total,
    total_counts: answer.counts,
    project_id: answer.projectId,
    ...packageFields(data.package),
    ...projectFields(data.projects),
    ...(cursor !== undefined && { cursor }),
  };
  const reply = "json" in body ? jsonReply(body.json) : body;
  return { ...reply, meta, masked: shownSecrets(secrets, reply.text) };
}

/** Returns the masked secrets of all results. One that two places of a file show is one secret. */
function secretsIn(hits: readonly Hit[]): readonly (MaskedSecret & { readonly path: string })[] {
  const seen = new Set<string>();
  return hits.flatMap(({ path, masked = [] }) => {
    const fresh = masked.filter(({ line }) => !seen.has(`${path}:${line}`));
    for (const { line } of fresh) seen.add(`${path}:${line}`);
    return fresh.map((one) => ({ ...one, path }));
  });
}

function written(data: HitsData, view: View): { text: string; cursor: string | undefined } {
  const { format, budget, reader = EVERY_TOOL } = view;
  const about = data.requestedName === undefined ? projectNotes(data.projects) : [];
  budget.reserve([FOOTER, ...about, ...quotedLines(data, reader)].join("\n"));
  const head = [
    ...(data.requestedName === undefined ? packageNote(data.package) : []),
    ...(format === "markdown" ? markdownHead(data) : nameHead(data)),
  ];
  for (const line of head) budget.reserve(`${line}\n`);
  const pieces =
    format === "markdown"
      ? markdownPieces(data, view)
      : textPieces(data.answer.hits, view, (hit) => hitText(hit, data));
  const more = moreOf(data, pieces.length);
  const places = placesLeftOut(data, pieces.length);
  const tail =
    places.count === 0
      ? []
      : [`+${pluralize(places.count, "more place")} in it: ${spellAgain(reader, { path: places.path })}`];
  const text = [...head, ...pieces, ...tail, ...bodiesNote(data, pieces), ...footer(data, more, reader)].join(
    "\n",
  );
  return { text, cursor: more?.cursor };
}

/**
 * The line above the results of one of several names. It is left out if the results show that name themselves, because
 * all of them are definitions of exactly this name.
 */
function nameHead({ requestedName, answer: { hits } }: HitsData): string[] {
  if (requestedName === undefined) return [];
  return hits.every(({ match }) => match === undefined) ? [] : [`${requestedName}:`];
}

/**
 * Writes as many results as the budget holds, and at least one, truncated if necessary. A result whose code does not fit
 * is shown by its first line.
 */
function textPieces(hits: readonly Hit[], view: View, render: (hit: Hit) => string): string[] {
  const pieces: string[] = [];
  for (const hit of hits) {
    const piece = render(hit);
    const [head = ""] = piece.split("\n");
    if (view.budget.take(piece)) pieces.push(piece);
    else if (pieces.length > 0 && head !== piece && view.budget.take(head)) pieces.push(head);
    else return pieces.length > 0 ? pieces : [truncate(piece, hit, view)];
  }
  return pieces;
}

function truncate(piece: string, { path, lineStart, lineEnd }: Hit, { budget, reader }: View): string {
  const lines = piece.split("\n");
  const rest = describeReadCall(path, `${lineStart}-${lineEnd}`, reader);
  budget.reserve(`… 1234 lines left out: ${rest}`);
  const kept: string[] = [];
  for (const line of lines) {
    if (!budget.take(`${line}\n`)) break;
    kept.push(line);
  }
  const first = kept.length === 0 ? [(lines[0] ?? "").slice(0, 200)] : kept;
  return [...first, `… ${lines.length - kept.length} lines left out: ${rest}`].join("\n");
}

function hitText(hit: Hit, data: HitsData): string {
  const range = hit.lineEnd > hit.lineStart ? `${hit.lineStart}-${hit.lineEnd}` : `${hit.lineStart}`;
  const marks = [
    hit.match?.replace("_", "-"),
    hit.stale === true ? "stale" : undefined,
    hit.semanticOnly === true && data.explain === "off" ? `meaning ${hit.similarity?.toFixed(2)}` : undefined,
    explanation(hit, data.explain),
  ];
  const suffix = marks.flatMap((mark) => (mark === undefined ? [] : [` [${mark}]`])).join("");
  const head = `${shownPath(hit.path)}:${range} ${label(hit, data.level)}`.trimEnd() + suffix;
  const isBrief = data.compact || data.level === "location";
  const uses = hit.uses === undefined || isBrief ? undefined : usesLine(hit.uses);
  return [head, ...details(hit, data), ...(uses === undefined ? [] : [` ${uses}`])].join("\n");
}

/** The signature of a result. A name that it does not contain, or the class of a method, is added to it. */
function label(hit: Hit, level: DetailLevel): string {
  if (level === "location") return hit.kind === undefined ? "" : `${hit.kind} ${hit.name ?? ""}`;
  if (hit.signature === undefined) return clip(hit.heading ?? "");
  const signature = clip(hit.signature);
  const { owner = "" } = hit;
  const named =
    hit.name === undefined || signature.includes(hit.name)
      ? signature
      : `${hit.kind ?? ""} ${hit.name} ${signature}`.trim();
  return owner === "" || signature.includes(owner) ? named : `${named} in ${owner}`;
}

/**
 * The most characters shown of a signature, so that ten results fit into 400 tokens. JSON replies and the source have
 * it whole.
 */
const MAX_SIGNATURE = 110;

function clip(signature: string): string {
  return signature.length <= MAX_SIGNATURE ? signature : `${signature.slice(0, MAX_SIGNATURE - 1)}…`;
}

function details(hit: Hit, data: HitsData): string[] {
  const { level, compact, answer } = data;
  if (level === "location" || compact) return [];
  if (level === "context" && !isInWorkingSet(hit, data)) return [];
  if (level === "signature") return hit.showsBody === true ? bodyOf(hit) : [];
  // Who looks up a definition in full wants exactly its lines; those around it and what it uses are only in JSON.
  if (level === "detailed" && answer.counts === "definitions") return [numberedBody(hit)];
  if (level === "concise") return [indent(contentPreview(hit.content ?? "", PREVIEW_CHARACTERS))];
  return [...(level === "context" ? bodyOf(hit) : [numbered(hit)]), ...linksOf(hit)];
}

function numberedBody({ content = "", lineStart }: Hit): string {
  return content
    .split("\n")
    .map((line, index) => `${lineStart + index}| ${line}`)
    .join("\n");
}

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

/**
 * The notes below the results: on stale or partial results, on how to get more, or that nothing was found and where.
 */
function footer(data: HitsData, more: More | undefined, reader: Reader): string[] {
  const { hits, metadata, nearest, offset, counts, unread } = data.answer;
  const { requestedName } = data;
  const lines: string[] = [];
  if (hits.length === 0 && offset === 0)
    lines.push(requestedName === undefined ? absence(data) : `${requestedName}: ${absence(data)}`);
  if (nearest !== undefined && nearest.length > 0)
    lines.push(`${hits.length === 0 ? "Nearest:" : "No such name, but"} ${nearest.join(", ")}`);
  if (metadata.quoted_text !== undefined && hits.length > 0)
    lines.push("(the quoted text was not found: these have words of it)");
  if (requestedName === undefined)
    lines.push(...(data.projects === undefined ? indexNotes(metadata) : projectNotes(data.projects)));
  if (unread !== undefined)
    lines.push(`(partial: the quoted text was not looked for in ${pluralize(unread, "more file")})`);
  lines.push(...quotedLines(data, reader));
  if (more !== undefined) {
    const which = more.isLessRelevant ? "less relevant" : "more";
    const unit = UNITS[counts];
    const count = unit === undefined ? `${more.count} ${which}` : pluralize(more.count, `${which} ${unit}`);
    const again = spellAgain(reader, { cursor: more.cursor });
    const call =
      requestedName === undefined
        ? again
        : spellFor(reader)({
            tool: "locate_symbol",
            args: { name: requestedName, ...data.filters, cursor: more.cursor },
          });
    lines.push(`+${count}: ${call ?? again}`);
  }
  return lines;
}

/** Says how many lines contain the quoted text, if there are more than results, because each shows one place of a file. */
function quotedLines({ answer: { quoted, hits }, filters = {} }: HitsData, reader: Reader): string[] {
  if (quoted === undefined || quoted.lines <= hits.length) return [];
  const pattern = quoted.texts.map((text) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  const path = filters["path"];
  const within = path === undefined ? {} : /[*?{[]/.test(String(path)) ? { glob: path } : { path };
  const call =
    filters["workspace"] === undefined
      ? spellFor(reader)({ tool: "grep", args: { pattern, ...within, ignore_case: true } })
      : undefined;
  const how = call === undefined ? "" : `: ${call}`;
  const what = `${pluralize(quoted.lines, "line")} of ${pluralize(quoted.files, "file")}`;
  const verb = quoted.lines === 1 ? "has" : "have";
  return [`(${what} ${verb} the quoted text${how})`];
}

const UNITS: Readonly<Partial<Record<CodeAnswer["counts"], string>>> = { files: "file", places: "place" };
