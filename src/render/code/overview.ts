import { pluralize } from "../../kernel/pluralize.ts";
import type { InstalledPackage } from "../../model/installed-package.ts";
import type {
  Area,
  EntryPoint,
  Neighbour,
  Overview,
  UsedDefinition,
  UsedFile,
} from "../../model/overview.ts";
import { maskedAt } from "../../model/masked.ts";
import { maskedNoteSample, shownSecrets } from "../masked-note.ts";
import { describeLargerBudget } from "../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";
import { shownPath } from "../shown-path.ts";
import { PROTOCOL_VERSION } from "./hits-fields.ts";
import { indexNotes } from "./index-notes.ts";
import { packageFields, packageNote } from "./package-note.ts";

/** The map of a folder. */
export interface OverviewData {
  readonly overview: Overview;
  readonly package?: InstalledPackage;
}

const MAX_SIGNATURE = 100;
const MAX_LANGUAGES = 4;
/** Share of the budget for areas and entry points; the rest is for what is used most. */
export const AREAS_SHARE = 0.55;
const LEFT_SAMPLE =
  "… 12 areas, 123 entry points, 1234 less used files left out: raise --max-tokens, or ask for one folder";

/** Writes the map of a folder: what it is, where it starts, its areas, and what is used most, each with its weight. */
export function renderOverview(data: OverviewData, view: View): Rendered {
  const { overview } = data;
  const { masked = [] } = overview;
  view.budget.reserve(maskedNoteSample(maskedAt(masked)));
  const meta = {
    pith_protocol_version: PROTOCOL_VERSION,
    freshness_status: overview.metadata.freshness_status,
    indexing_status: overview.metadata.indexing_status,
    ref: overview.metadata.ref,
    path: overview.path,
    project_id: overview.projectId,
    total: overview.files,
    ...packageFields(data.package),
  };
  const rendered = view.format === "json" ? mapJson(data, view) : mapText(data, view);
  return { ...rendered, meta, masked: shownSecrets(masked, rendered.text) };
}

function mapText({ overview, package: found }: OverviewData, view: View): Rendered {
  const { format, budget } = view;
  const isMarkdown = format === "markdown";
  const title = (text: string): string => (isMarkdown ? `## ${text}` : text);
  const notes = [...packageNote(found), ...indexNotes(overview.metadata)];
  const head = [...headOf(overview).map((line, i) => (isMarkdown && i === 0 ? `# ${line}` : line)), ...notes];
  for (const line of [...head, LEFT_SAMPLE]) budget.reserve(`${line}\n`);
  const limit = budget.remainingTokens * (1 - AREAS_SHARE);
  const lines: string[] = [];
  const section = (name: string, rows: readonly string[], mayTakeAll: boolean): number => {
    if (rows.length === 0 || !budget.take(`${name}\n`)) return rows.length;
    const own: string[] = [];
    for (const row of rows) {
      if ((!mayTakeAll && budget.remainingTokens < limit) || !budget.take(`${row}\n`)) break;
      own.push(row);
    }
    if (own.length > 0) lines.push(title(name), ...own);
    return rows.length - own.length;
  };
  const bullet = isMarkdown ? "- " : " ";
  const words = WORDS[overview.unit];
  const ofAreas = section(`Areas (${words.areas})`, areaRows(overview, bullet), false);
  const ofEntries = section(
    "Entry points",
    overview.entryPoints.map((entry) => `${bullet}${entryRow(entry)}`),
    true,
  );
  const ofFiles = section(
    `Most used (${words.files}; files that use a definition; tests not counted)`,
    overview.used.map((file) => usedRows(file, bullet)),
    true,
  );
  const left = [
    ...counted(ofAreas, "area"),
    ...counted(ofEntries + overview.unlisted.entryPoints, "entry point"),
    ...counted(ofFiles + overview.unlisted.used, "less used file"),
  ];
  const isCut = ofAreas + ofEntries + ofFiles > 0;
  const ways = [isCut ? describeLargerBudget(view) : undefined, "ask for one folder"].filter(
    (way) => way !== undefined,
  );
  const rest = left.length === 0 ? [] : [`… ${left.join(", ")} left out: ${ways.join(", or ")}`];
  return { text: [...head, ...lines, ...rest].join("\n") };
}

/** What the figures are, for each kind of weights. A use is a file outside tests that uses a definition of another file. */
const WORDS: Readonly<Record<Overview["unit"], { readonly areas: string; readonly files: string }>> = {
  uses: {
    areas: "share of uses outside tests, files; most used definitions",
    files: "share of uses",
  },
  fit: { areas: "weight for the question, files; definitions", files: "weight for the question" },
  files: { areas: "files; nothing outside tests uses them", files: "no uses outside tests" },
};

function counted(count: number, noun: string): string[] {
  return count > 0 ? [pluralize(count, noun)] : [];
}

function headOf({ path, files, lines, languages, question, dependsOn, usedBy }: Overview): string[] {
  const named = languages.slice(0, MAX_LANGUAGES).map(({ name, share }) => `${name} ${percent(share)}`);
  const others = languages.length - named.length;
  const by = [...named, ...(others > 0 ? [`${others} more`] : [])];
  const about = by.length === 0 ? "" : `: ${by.join(", ")}`;
  return [
    `${shownPath(path)} ${pluralize(files, "file")}, ${pluralize(lines, "line")}${about}`,
    ...(question === undefined ? [] : [`(weights fitted to: ${question})`]),
    ...(dependsOn.length === 0 ? [] : [`uses ${neighbourText(dependsOn)}`]),
    ...(usedBy.length === 0 ? [] : [`used by ${neighbourText(usedBy)}`]),
  ];
}

function neighbourText(all: readonly Neighbour[]): string {
  return all.map(({ path, share }) => `${shownPath(path)} ${percent(share)}`).join(", ");
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? "<1 %" : `${Math.round(share * 100)} %`;
}

/** One row for each area; the outermost ones without code share one, because they are only named. */
function areaRows({ areas, unit }: Overview, bullet: string): string[] {
  const isPlain = ({ role, depth }: Area): boolean => role === "no code" && depth === 0;
  const plain = areas.filter(isPlain).map(({ path, files }) => `${shownPath(path)}/ ${files}`);
  return [
    ...areas.flatMap((area, at) =>
      isPlain(area) ? [] : [areaRow(area, bullet, { parent: parentOf(areas, at), unit })],
    ),
    ...(plain.length === 0 ? [] : [`${bullet}no code: ${plain.join(", ")}`]),
  ];
}

/** The path of the area around one, which its row does not repeat. */
function parentOf(areas: readonly Area[], at: number): string {
  const depth = areas[at]?.depth ?? 0;
  const parent = areas.slice(0, at).findLast((one) => one.depth < depth);
  return parent === undefined ? "" : `${parent.path}/`;
}

function areaRow(
  { path, depth, weight, files, names, role }: Area,
  bullet: string,
  { parent, unit }: { readonly parent: string } & Pick<Overview, "unit">,
): string {
  const indent = "  ".repeat(depth);
  const about = role === undefined ? (names.length === 0 ? "" : `: ${names.join(", ")}`) : ` (${role})`;
  const share = unit === "files" ? "" : ` ${percent(weight)}`;
  return `${indent}${bullet}${shownPath(path.slice(parent.length))}/${share} ${files}${about}`;
}

function entryRow({ path, why, line }: EntryPoint): string {
  return `${shownPath(path)}${line === undefined ? "" : `:${line}`} (${why})`;
}

function usedRows({ path, weight, definitions }: UsedFile, bullet: string): string {
  const indent = " ".repeat(bullet.length);
  return [
    `${bullet}${shownPath(path)} ${percent(weight)}`,
    ...definitions.map((one) => `${indent}${definitionRow(one)}`),
  ].join("\n");
}

function definitionRow({ line, signature, kind, name, users }: UsedDefinition): string {
  const text = signature === "" || !signature.includes(name) ? `${kind} ${name}` : signature;
  const clipped = text.length <= MAX_SIGNATURE ? text : `${text.slice(0, MAX_SIGNATURE - 1)}…`;
  return ` ${line} ${clipped} (${pluralize(users, "file")})`;
}

function mapJson({ overview, package: found }: OverviewData, { budget }: View): Rendered {
  const { path, files, lines, languages, entryPoints, areas, used, unlisted, dependsOn, usedBy, metadata } =
    overview;
  const frame = {
    path,
    files,
    lines,
    ...packageFields(found),
    languages: languages.map(({ name, share }) => ({ name, share: round(share) })),
    ...(overview.question !== undefined && { question: overview.question }),
    weight_unit: overview.unit,
    entry_points: entryPoints,
    ...(dependsOn.length > 0 && {
      uses: dependsOn.map(({ path: folder, share }) => ({ path: folder, share: round(share) })),
    }),
    ...(usedBy.length > 0 && {
      used_by: usedBy.map(({ path: folder, share }) => ({ path: folder, share: round(share) })),
    }),
    metadata: { pith_protocol_version: PROTOCOL_VERSION, ...metadata },
  };
  budget.reserve(JSON.stringify({ ...frame, areas_left_out: 1234, files_left_out: 1234 }));
  const limit = budget.remainingTokens * (1 - AREAS_SHARE);
  const fit = <T>(rows: readonly T[], until: number): T[] => {
    const shown: T[] = [];
    for (const row of rows) {
      if (budget.remainingTokens < until || !budget.take(JSON.stringify(row))) break;
      shown.push(row);
    }
    return shown;
  };
  const shownAreas = fit(areas.map(areaJson), limit);
  const shownFiles = fit(used.map(usedJson), 0);
  const areasLeft = areas.length - shownAreas.length;
  const filesLeft = used.length - shownFiles.length + unlisted.used;
  return jsonReply({
    ...frame,
    areas: shownAreas,
    most_used: shownFiles,
    ...(areasLeft > 0 && { areas_left_out: areasLeft }),
    ...(unlisted.entryPoints > 0 && { entry_points_left_out: unlisted.entryPoints }),
    ...(filesLeft > 0 && { files_left_out: filesLeft }),
  });
}

function areaJson({ path, weight, files, lines, names, role }: Area): object {
  return {
    path,
    weight: round(weight),
    files,
    lines,
    ...(names.length > 0 && { names }),
    ...(role !== undefined && { role }),
  };
}

function usedJson({ path, weight, definitions }: UsedFile): object {
  return { path, weight: round(weight), definitions };
}

function round(share: number): number {
  return Math.round(share * 1000) / 1000;
}
