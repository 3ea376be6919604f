import { Budget, TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import type { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { Masked } from "../../model/masked.ts";
import { EVERY_TOOL, spellFor } from "../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { notShownFields, notShownNote, shareAmongParts, TOKENS_BETWEEN_PARTS } from "../shared-budget.ts";
import { shownPath } from "../shown-path.ts";
import type { FileReply } from "./file-reply.ts";
import { renderFileSlice } from "./file-slice.ts";

/** One of several files or ranges that a single call reads: its lines, or why they cannot be read. */
export type FilePart = FileReply | UnreadablePart;

export interface UnreadablePart {
  readonly path: string;
  readonly error: PithError;
}

export interface FilesReply {
  readonly parts: readonly FilePart[];
}

/**
 * Writes several files, or several ranges of one file, in the order they were asked for. They share the budget of the
 * reply.
 */
export function renderFileSlices({ parts }: FilesReply, view: View): Rendered {
  const { format, budget, reader = EVERY_TOOL } = view;
  const render = (part: FilePart, own: Budget): Rendered => renderPart(part, { format, reader, budget: own });
  const budgets = parts.map(() => new Budget(budget.maxTokens));
  const whole = parts.map((part, i) => render(part, budgets[i] ?? budget));
  const costs = whole.map((one, i) => Math.min(costOf(one, format), reservedIn(budgets[i] ?? budget)));
  const shared = shareAmongParts(costs, budget.remainingTokens, (i) => nameOf(parts[i]));
  const rendered = parts.slice(0, shared.shares.length).map((part, i) => {
    const [one, cost = 0, share = 0] = [whole[i], costs[i], shared.shares[i]];
    return one !== undefined && share >= cost ? one : render(part, new Budget(share));
  });
  const masked = joinMasked(parts, rendered);
  const beside = {
    meta: { files: rendered.map(({ meta }) => meta ?? {}), ...notShownFields(shared) },
    ...(masked !== undefined && { masked }),
  };
  const files = rendered.map(({ json }) => json ?? {});
  if (format === "json") return jsonReply({ files, ...notShownFields(shared) }, beside);
  const note = notShownNote(shared);
  const texts = rendered.map(({ text }) => text);
  return { text: [...texts, ...(note === undefined ? [] : [note])].join("\n"), ...beside };
}

/** The name of a part that is not shown, as the caller may ask for it again. */
function nameOf(part: FilePart | undefined): string {
  if (part === undefined || "error" in part) return part?.path ?? "";
  const { path, startLine, requestedEndLine } = part.slice;
  return `${path}:${startLine}-${requestedEndLine}`;
}

function renderPart(part: FilePart, view: View): Rendered {
  const { format, reader = EVERY_TOOL } = view;
  if (!("error" in part)) return renderFileSlice({ ...part, isOneOfSeveral: true }, view);
  const { path, error } = part;
  const suggestion = error.suggestionFor(spellFor(reader));
  const json = { path, error: { code: error.code, message: error.message, suggestion } };
  if (format === "json") return jsonReply(json, { meta: { path, error: error.code } });
  const words = [error.message, suggestion].filter((text) => text !== undefined && text !== "").join(". ");
  return { text: `${shownPath(path)}: ${words}`, meta: { path, error: error.code } };
}

function costOf({ text }: Rendered, format: View["format"]): number {
  return Math.ceil((estimateTokens(text) + (format === "json" ? 4 : 1)) * TOKEN_SAFETY_FACTOR);
}

/** What a part reserved. Its lines were rounded one by one, so it may be less than the cost of the text as a whole. */
function reservedIn(budget: Budget): number {
  return budget.maxTokens - budget.remainingTokens + TOKENS_BETWEEN_PARTS;
}

function joinMasked(parts: readonly FilePart[], rendered: readonly Rendered[]): Masked | undefined {
  const found = rendered.flatMap(({ masked }, i) => {
    const part = parts[i];
    if (masked === undefined || part === undefined || "error" in part) return [];
    return [{ count: masked.count, places: masked.places.map((place) => `${part.slice.path}:${place}`) }];
  });
  if (found.length === 0) return undefined;
  return {
    count: found.reduce((sum, { count }) => sum + count, 0),
    places: found.flatMap(({ places }) => places),
  };
}
