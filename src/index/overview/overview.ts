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
import { type GraphDefinition, type UseGraph, useGraphOf } from "./use-graph.ts";

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
const DEFINITIONS_PER_FILE = 4;
const MAX_NEIGHBOURS = 5;
/** The weight of a test as a start, compared with that of source code: tests use everything. */
const TEST_START = 0.1;

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
  const rank = pageRank(view.files.length, graph.edges, startOf(view, source, { ...request, isInside }));
  const weighed = weigh(view, graph, rank);
  const inside = view.files.flatMap((file, number) => (isInside(file) ? [number] : []));
  const total = inside.reduce((sum, number) => sum + (rank[number] ?? 0), 0) || 1;
  const strip = folder === "" ? 0 : folder.length + 1;
  const files = inside.flatMap((number): WeighedFile[] => {
    const file = view.files[number];
    if (file === undefined) return [];
    const { facts } = file;
    const names = (weighed.get(number) ?? []).map(({ definition, weight }) => ({
      name: definition.symbol.name,
      weight,
    }));
    const lines = view.documentOf(file).lineCount;
    return [{ path: file.path.slice(strip), facts, lines, weight: (rank[number] ?? 0) / total, names }];
  });
  const entryPoints = await entryPointsOf(
    view,
    isInside,
    async (file) => (await project.textOf(file, ref))?.text,
  );
  const { used, unlisted } = await usedFiles(source, weighed, { rank, total, inside });
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

/** Where a reader starts: at the files of the question or of the folder, else at all source files. */
function startOf(
  view: View,
  { project }: HitSource,
  {
    question,
    isInside,
  }: Pick<OverviewRequest, "question"> & { readonly isInside: (file: ViewFile) => boolean },
): Float64Array {
  const start = new Float64Array(view.files.length);
  if (question !== undefined && question.trim() !== "") {
    const { files } = rankFiles(view, parseQuery(question), { imports: project.imports(view) });
    const scores = new Map(files.slice(0, MAX_START_FILES).map(({ file, score }) => [file, score]));
    for (const [number, file] of view.files.entries()) start[number] = scores.get(file) ?? 0;
    if (start.some((weight) => weight > 0)) return start;
  }
  for (const [number, file] of view.files.entries()) {
    const { role, kind } = file.facts;
    if (kind !== "code" || role.vendored || view.isGenerated(file) || !isInside(file)) continue;
    start[number] = role.test || role.example ? TEST_START : 1;
  }
  return start;
}

const MAX_START_FILES = 20;

interface WeighedDefinition {
  readonly definition: GraphDefinition;
  readonly weight: number;
}

/** Divides the weight that flows into a file among its definitions, by the ranks of the files that use them. */
function weigh(
  view: View,
  { definitions }: UseGraph,
  rank: Float64Array,
): ReadonlyMap<number, readonly WeighedDefinition[]> {
  const byFile = new Map<number, WeighedDefinition[]>();
  for (const definition of definitions) {
    let weight = 0;
    for (const user of definition.users) weight += rank[user] ?? 0;
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
    rank,
    total,
    inside,
  }: { readonly rank: Float64Array; readonly total: number; readonly inside: readonly number[] },
): Promise<Pick<Overview, "used"> & { readonly unlisted: number }> {
  const reader = createFileReader(source);
  const all = inside
    .filter((number) => weighed.has(number))
    .toSorted((a, b) => (rank[b] ?? 0) - (rank[a] ?? 0));
  const best = all.slice(0, MAX_USED_FILES);
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
    used.push({ path: file.path, weight: (rank[number] ?? 0) / total, definitions });
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
