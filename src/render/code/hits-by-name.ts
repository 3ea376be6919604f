import type { CodeAnswer } from "../../model/hit.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { notShownFields, notShownNote, NOTHING_LEFT_OUT, type SharedBudget } from "../shared-budget.ts";
import { joinMasked, renderSharing } from "../shared-parts.ts";
import { renderHits } from "./hits.ts";
import { indexNotes } from "./index-notes.ts";
import { projectFields, projectNotes } from "./project-notes.ts";
import type { HitsData } from "./hits-data.ts";
import { fullMetadata } from "./hits-fields.ts";
import { packageFields, packageNote } from "./package-note.ts";

/** The definitions of one of several names. */
export type NamedHits = HitsData & { readonly requestedName: string };

/** The definitions of several names, in the order of the names. */
export interface HitsByName {
  readonly names: readonly NamedHits[];
}

/** Writes the definitions of several names. They share the budget of the reply; names without room are listed. */
export function renderHitsByName({ names }: HitsByName, view: View): Rendered {
  const { format, budget } = view;
  const [first] = names;
  const notes = [
    ...packageNote(first?.package),
    ...(first?.projects === undefined
      ? notesOn(names.map(({ answer }) => answer))
      : projectNotes(first.projects)),
  ];
  for (const note of notes) budget.reserve(`${note}\n`);
  if (format === "json") budget.reserve(JSON.stringify(frameOf(names, [], NOTHING_LEFT_OUT)));
  const { rendered, shared } = renderSharing(names, budget, {
    render: (data, own) => renderHits(data, { ...view, budget: own }),
    nameOf: ({ requestedName }) => requestedName,
    extraTokens: FOOTER_TOKENS,
  });
  const beside = { meta: metaOf(names, rendered, shared), ...joinMasked(rendered) };
  if (format === "json") return jsonReply(frameOf(names, rendered, shared), beside);
  const left = notShownNote(shared);
  const texts = rendered.map(({ text }) => text);
  return { text: [...texts, ...notes, ...(left === undefined ? [] : [left])].join("\n"), ...beside };
}

/** Tokens that each part reserves for the line that names the call for more results. */
const FOOTER_TOKENS = 30;

/** The notes on the index, each only once, although every name was looked up on its own. */
function notesOn(answers: readonly CodeAnswer[]): string[] {
  return [...new Set(answers.flatMap(({ metadata }) => indexNotes(metadata)))];
}

function frameOf(names: readonly NamedHits[], rendered: readonly Rendered[], shared: SharedBudget): object {
  const [first] = names;
  return {
    names: rendered.map(({ json }) => json ?? {}),
    ...notShownFields(shared),
    total_count: totalOf(names),
    total_counts: first?.answer.counts,
    project_id: first?.answer.projectId,
    ...packageFields(first?.package),
    ...projectFields(first?.projects),
    latency_ms: names.reduce((sum, { answer }) => sum + answer.elapsedMs, 0),
    metadata: metadataOf(names, rendered, shared),
  };
}

function metaOf(
  names: readonly NamedHits[],
  rendered: readonly Rendered[],
  shared: SharedBudget,
): Record<string, unknown> {
  return {
    ...metadataOf(names, rendered, shared),
    total: totalOf(names),
    total_counts: names[0]?.answer.counts,
    project_id: names[0]?.answer.projectId,
    names: rendered.map(({ meta }, i) => ({
      name: names[i]?.requestedName,
      total: meta?.["total"],
      ...(meta?.["cursor"] !== undefined && { cursor: meta["cursor"] }),
    })),
    ...notShownFields(shared),
  };
}

/** The metadata of the least complete answer. */
function metadataOf(
  names: readonly NamedHits[],
  rendered: readonly Rendered[],
  shared: SharedBudget,
): Record<string, unknown> {
  const stale = names.find(({ answer }) => answer.metadata.freshness_status !== "fresh") ?? names[0];
  if (stale === undefined) return {};
  const partial = names.find(({ answer }) => answer.metadata.result_completeness === "partial") ?? stale;
  const isCut = shared.notShown.length > 0 || rendered.some(({ meta }) => meta?.["cursor"] !== undefined);
  const metadata = {
    ...stale.answer.metadata,
    result_completeness: partial.answer.metadata.result_completeness,
  };
  return fullMetadata({ metadata }, { isCut, compact: stale.compact });
}

function totalOf(names: readonly NamedHits[]): number {
  return names.reduce((sum, { answer }) => sum + answer.total, 0);
}
