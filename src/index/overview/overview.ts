import { languageOf } from "../../languages/detect.ts";
import { PithError } from "../../kernel/errors.ts";
import type { Area, Neighbour, Overview, UsedFile } from "../../model/overview.ts";
import { metadataOf } from "../code-queries.ts";
import { relativePath, type IndexCore } from "../core.ts";
import { openFresh, searchTimeMs } from "../live/open-fresh.ts";
import type { View, ViewFile } from "../live/view.ts";
import { createFileReader } from "../query/hits.ts";
import type { HitSource } from "../query/hit-source.ts";
import { parseQuery } from "../query/query.ts";
import { rankFiles } from "../rank/rank-files.ts";
import { areasOf, type WeighedFile } from "./areas.ts";
import { entryPointsOf } from "./entry-points.ts";
import { pageRank } from "./page-rank.ts";
import { type GraphDefinition, type UseGraph, isOwnCode, useGraphOf } from "./use-graph.ts";

export interface OverviewRequest {
  readonly root: string;
  /** The folder to show; `.` for the whole workspace. */
  readonly path: string;
  readonly ref?: string;
  /** Fits the weights to a question: what its files use counts most. */
  readonly question?: string;
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/** Files of which the most used definitions are listed, and definitions per file. */
const MAX_USED_FILES = 60;
/** Files that are listed however little they are used; of the others those with this share, as the rest says little. */
const MIN_USED_FILES = 12;
const MIN_USED_SHARE = 0.01;
const DEFINITIONS_PER_FILE = 4;
const MAX_NEIGHBOURS = 5;

/** Maps a folder by what uses what; undefined if the index has no files below this path. */
export async function overviewOf(core: IndexCore, request: OverviewRequest): Promise<Overview | undefined> {
  const folder = relativePath(request.root, request.path).replace(/^\.\/?|\/+$/g, "");
  const answerBy = Date.now() + searchTimeMs(core.settings);
  const { source, freshness } = await openFresh(core, { ...request, policy: "balanced", answerBy });
  const { view, project, ref } = source;
  const isInside = ({ path }: Pick<ViewFile, "path">): boolean =>
    folder === "" || path.startsWith(`${folder}/`);
  if (!view.files.some(isInside)) {
    if (folder === "" && view.files.length === 0) throw emptyError(request.root);
    return undefined;
  }
  const graph = await useGraphOf(source);
  const inside = view.files.flatMap((file, number) => (isInside(file) ? [number] : []));
  const { weights, unit } = weightsOf(source, graph, { ...request, inside });
  const weighed = weigh(view, graph, unit === "fit" ? weights : undefined);
  const total = inside.reduce((sum, number) => sum + (weights[number] ?? 0), 0) || 1;
  const strip = folder === "" ? 0 : folder.length + 1;
  const isOwn = isOwnCode(view);
  const files = inside.flatMap((number): WeighedFile[] => {
    const file = view.files[number];
    if (file === undefined) return [];
    const facts = { ...file.facts, role: { ...file.facts.role, vendored: !isOwn(file) } };
    const names = (weighed.get(number) ?? []).map(({ definition, weight }) => ({
      name: definition.symbol.name,
      weight,
    }));
    const lines = view.documentOf(file).lineCount;
    return [{ path: file.path.slice(strip), facts, lines, weight: (weights[number] ?? 0) / total, names }];
  });
  const entryPoints = await entryPointsOf(
    view,
    isInside,
    async (file) => (await project.textOf(file, ref))?.text,
  );
  // A file that others use only as a whole has no definition that they use.
  const isUsed = (number: number): boolean =>
    weighed.has(number) || (unit === "uses" && (weights[number] ?? 0) > 0);
  const ranked = inside.filter(isUsed);
  const { used, unlisted } = await usedFiles(source, weighed, { weights, total, ranked });
  return {
    path: folder === "" ? "." : folder,
    files: files.length,
    lines: files.reduce((sum, { lines }) => sum + lines, 0),
    languages: languagesOf(files),
    entryPoints: entryPoints.listed,
    areas: areasOf(files).map((area): Area => ({
      ...area,
      path: folder === "" ? area.path : area.path === "." ? folder : `${folder}/${area.path}`,
    })),
    used,
    unlisted: { entryPoints: entryPoints.unlisted, used: unlisted },
    ...neighbours(view, graph, isInside),
    unit,
    ...(request.question !== undefined && { question: request.question }),
    metadata: metadataOf(freshness, ref, false),
    projectId: project.projectId,
  };
}

function emptyError(root: string): PithError {
  return new PithError("file_not_found", `${root} has no files that are indexed`, {
    suggestion: "Name a folder with files; those that git ignores are left out.",
  });
}

interface Weights {
  /** The weight of each file; they add up to anything. */
  readonly weights: Float64Array;
  readonly unit: Overview["unit"];
}

/** Weighs files by how they fit a question, else by how often other files use their definitions, else alike. */
function weightsOf(
  source: HitSource,
  graph: UseGraph,
  { question, inside }: Pick<OverviewRequest, "question"> & { readonly inside: readonly number[] },
): Weights {
  const { view } = source;
  const start = question === undefined ? undefined : startAt(question, source);
  if (start !== undefined) return { weights: pageRank(view.files.length, graph.edges, start), unit: "fit" };
  const weights = new Float64Array(view.files.length);
  for (const { from, to, uses } of graph.edges)
    if (view.files[from]?.facts.role.test !== true) weights[to] = (weights[to] ?? 0) + uses;
  if (inside.some((number) => (weights[number] ?? 0) > 0)) return { weights, unit: "uses" };
  return { weights: weights.fill(1), unit: "files" };
}

/** Returns where a reader with a question starts: at the files that fit it; undefined if none does. */
function startAt(question: string, { view, project }: HitSource): Float64Array | undefined {
  const { files } = rankFiles(view, parseQuery(question), { imports: project.imports(view) });
  const scores = new Map(files.slice(0, MAX_START_FILES).map(({ file, score }) => [file, score]));
  const start = Float64Array.from(view.files, (file) => scores.get(file) ?? 0);
  return start.some((weight) => weight > 0) ? start : undefined;
}

const MAX_START_FILES = 20;

interface WeighedDefinition {
  readonly definition: GraphDefinition;
  readonly weight: number;
}

/** Weighs the definitions of each file by the number of files that use them, or by the ranks of those files. */
function weigh(
  view: View,
  { definitions }: UseGraph,
  rank: Float64Array | undefined,
): ReadonlyMap<number, readonly WeighedDefinition[]> {
  const byFile = new Map<number, WeighedDefinition[]>();
  for (const definition of definitions) {
    let weight = 0;
    for (const user of definition.users) weight += rank === undefined ? 1 : (rank[user] ?? 0);
    if (definition.users.length === 0 || view.files[definition.file] === undefined) continue;
    const list = byFile.get(definition.file) ?? [];
    list.push({ definition, weight });
    byFile.set(definition.file, list);
  }
  for (const list of byFile.values()) list.sort((a, b) => b.weight - a.weight);
  return byFile;
}

function languagesOf(files: readonly WeighedFile[]): Overview["languages"] {
  const lines = new Map<string, number>();
  let total = 0;
  for (const file of files) {
    const language = file.facts.kind === "code" ? languageOf(file.path) : undefined;
    if (language === undefined) continue;
    total += file.lines;
    lines.set(language.name, (lines.get(language.name) ?? 0) + file.lines);
  }
  return [...lines]
    .map(([name, count]) => ({ name, share: count / Math.max(1, total) }))
    .filter(({ share }) => share >= MIN_LANGUAGE_SHARE)
    .toSorted((a, b) => b.share - a.share);
}

const MIN_LANGUAGE_SHARE = 0.02;

async function usedFiles(
  source: HitSource,
  weighed: ReadonlyMap<number, readonly WeighedDefinition[]>,
  {
    weights,
    total,
    ranked,
  }: { readonly weights: Float64Array; readonly total: number; readonly ranked: readonly number[] },
): Promise<Pick<Overview, "used"> & { readonly unlisted: number }> {
  const reader = createFileReader(source);
  const all = ranked.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const best = all
    .slice(0, MAX_USED_FILES)
    .filter((number, at) => at < MIN_USED_FILES || (weights[number] ?? 0) / total >= MIN_USED_SHARE);
  const used: UsedFile[] = [];
  for (const number of best) {
    const file = source.view.files[number];
    if (file === undefined) continue;
    const outline = await reader.outline(file);
    const definitions = oneOfEachName(weighed.get(number) ?? [])
      .slice(0, DEFINITIONS_PER_FILE)
      .map(({ definition }) => {
        const { name, kind, lineStart: line } = definition.symbol;
        const signature =
          outline?.symbols.find((one) => one.name === name && one.lineStart === line)?.signature ?? "";
        return { kind, name, line, signature, users: definition.users.length };
      });
    used.push({ path: file.path, weight: (weights[number] ?? 0) / total, definitions });
  }
  return { used, unlisted: all.length - best.length };
}

/** Keeps the first definition of each name; branches of a preprocessor define the same one again. */
function oneOfEachName(definitions: readonly WeighedDefinition[]): readonly WeighedDefinition[] {
  const seen = new Set<string>();
  return definitions.filter(({ definition: { symbol } }) => !seen.has(symbol.name) && seen.add(symbol.name));
}

/** Adds up the uses across the border of the folder, by the folders on the other side. */
function neighbours(
  view: View,
  { edges }: UseGraph,
  isInside: (file: ViewFile) => boolean,
): Pick<Overview, "dependsOn" | "usedBy"> {
  const [to, from] = [new Map<string, number>(), new Map<string, number>()];
  for (const edge of edges) {
    const [user, used] = [view.files[edge.from], view.files[edge.to]];
    if (user === undefined || used === undefined || isInside(user) === isInside(used)) continue;
    if (user.facts.role.test) continue;
    const [sums, other] = isInside(user) ? [to, used] : [from, user];
    const folder = folderNear(other.path);
    sums.set(folder, (sums.get(folder) ?? 0) + edge.weight);
  }
  return { dependsOn: shares(to), usedBy: shares(from) };
}

/** The first two folders of a path, which name a part of the repository. */
function folderNear(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/") || ".";
}

function shares(sums: ReadonlyMap<string, number>): readonly Neighbour[] {
  const total = [...sums.values()].reduce((sum, one) => sum + one, 0);
  return [...sums]
    .map(([path, sum]) => ({ path, share: sum / Math.max(1e-9, total) }))
    .toSorted((a, b) => b.share - a.share)
    .slice(0, MAX_NEIGHBOURS);
}
