import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { notShownFields, notShownNote, NOTHING_LEFT_OUT, type SharedBudget } from "../shared-budget.ts";
import { joinMasked, renderSharing } from "../shared-parts.ts";
import type { SearchedParts } from "./hits-data.ts";
import { AREAS_SHARE, type OverviewData, renderOverview } from "./overview.ts";
import { projectFields, projectNotes } from "./project-notes.ts";

/** The maps of several projects. */
export interface OverviewsData {
  readonly overviews: readonly OverviewData[];
  readonly projects: SearchedParts;
}

/** Tokens that each map reserves for the line that says what it leaves out. */
const FOOTER_TOKENS = 40;

/** Writes the maps of several projects, which share the budget; projects without room are named. */
export function renderOverviews({ overviews, projects }: OverviewsData, view: View): Rendered {
  const { format, budget } = view;
  const notes = projectNotes(projects);
  const frameOf = (maps: readonly object[], left: SharedBudget): object => ({
    overviews: maps,
    ...notShownFields(left),
    ...projectFields(projects),
  });
  budget.reserve(format === "json" ? JSON.stringify(frameOf([], NOTHING_LEFT_OUT)) : `${notes.join("\n")}\n`);
  const { rendered, shared } = renderSharing(overviews, budget, {
    render: (data, own) => renderOverview(data, { ...view, budget: own }),
    nameOf: ({ overview }) => overview.path,
    extraTokens: FOOTER_TOKENS,
    offer: 1 / AREAS_SHARE,
  });
  const total = overviews.reduce((sum, { overview }) => sum + overview.files, 0);
  const beside = { meta: { total, ...projectFields(projects) }, ...joinMasked(rendered) };
  if (format === "json")
    return jsonReply(
      frameOf(
        rendered.map(({ json }) => json ?? {}),
        shared,
      ),
      beside,
    );
  const left = notShownNote(shared);
  const texts = rendered.map(({ text }) => text);
  return { text: [...texts, ...notes, ...(left === undefined ? [] : [left])].join("\n"), ...beside };
}
