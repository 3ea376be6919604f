import { absence, moreOf, placesLeftOut, type HitsData } from "./hits-data.ts";
import { fullMetadata, hitJson, levelsDown, loweredNote } from "./hits-fields.ts";
import { packageFields } from "./package-note.ts";
import { projectFields } from "./project-notes.ts";
import { reasonsJson } from "./hits-reasons.ts";
import type { View } from "../rendered.ts";

/** An example of the cursor field; its length is reserved in the budget. */
const CURSOR_SAMPLE = '"cursor":"1234.abcdef",';

/** The JSON fields of the results that fit. If not even the first one fits, it is shown at a lower detail level. */
export function hitsJson(data: HitsData, view: View): { json: object; cursor: string | undefined } {
  const { answer, explain } = data;
  const { budget } = view;
  budget.reserve(JSON.stringify(frame(data, [], [])) + CURSOR_SAMPLE);
  const results: object[] = [];
  const reasons: object[] = [];
  for (const [index, hit] of answer.hits.entries()) {
    const why =
      explain === "off" || hit.reasons === undefined
        ? []
        : [{ result_index: index, ...reasonsJson(hit.reasons, explain) }];
    const levels = index === 0 ? levelsDown(data.level) : [data.level];
    const fitting = levels.find((level) =>
      budget.take(JSON.stringify([hitJson(hit, { ...data, level }), ...why])),
    );
    if (fitting === undefined && index > 0) break;
    const level = fitting ?? "location";
    const lowered = level === data.level ? {} : { left_out: loweredNote(hit, level, view) };
    results.push({ ...hitJson(hit, { ...data, level }), ...lowered });
    reasons.push(...why);
  }
  const more = moreOf(data, results.length);
  const places = placesLeftOut(data, results.length).count;
  const json = {
    ...frame(data, results, reasons, more?.cursor),
    ...(more?.isLessRelevant === true && { ends_at_drop: true }),
    ...(places > 0 && { places_left_out: places }),
  };
  return { json, cursor: more?.cursor };
}

function frame(
  data: HitsData,
  results: readonly object[],
  reasons: readonly object[],
  cursor?: string,
): Record<string, unknown> {
  const { answer } = data;
  const ranking = data.explain === "off" ? {} : { ranking_reasons: reasons };
  const found = { results, total_count: answer.total };
  const notes = {
    ...(cursor !== undefined && { cursor }),
    ...(answer.nearest !== undefined && { nearest_names: answer.nearest }),
    ...(answer.hits.length === 0 && { message: absence(data) }),
  };
  if (data.requestedName !== undefined) return { name: data.requestedName, ...found, ...notes, ...ranking };
  return {
    ...found,
    total_counts: answer.counts,
    ...(answer.quoted !== undefined && {
      quoted_text_lines: answer.quoted.lines,
      quoted_text_files: answer.quoted.files,
    }),
    project_id: answer.projectId,
    ...packageFields(data.package),
    ...projectFields(data.projects),
    ...(data.level === "detailed" &&
      answer.databaseName !== undefined && { database_name: answer.databaseName }),
    latency_ms: answer.elapsedMs,
    ...notes,
    metadata: {
      ...fullMetadata(answer, { isCut: cursor !== undefined, compact: data.compact }),
      ...ranking,
    },
  };
}
