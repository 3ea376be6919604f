import { PithError } from "../../kernel/errors.ts";
import {
  findRepository,
  isIgnored,
  repositoryMark,
  type GitRepository,
} from "../../workspace/git/git-repository.ts";
import { blobHash, readBlobs } from "../../workspace/git/git-objects.ts";
import { readContent } from "../../workspace/files/walk-signature.ts";
import { decode } from "../store/content.ts";
import { createImportGraph, type ImportGraph } from "../rank/import-counts.ts";
import type { IndexContext } from "./index-context.ts";
import { openLiveIndex } from "./live-index.ts";
import type { TreeIndex } from "./tree-index.ts";
import { LIVE } from "./live-state.ts";
import { createProjectHistory, type ProjectHistory } from "./project-history.ts";
import type { Recorder } from "../store/recorder.ts";
import { openRefIndex } from "./ref-index.ts";
import type { SegmentPool } from "../store/segment-pool.ts";
import type { IndexStore, ProjectRow } from "../store/store.ts";
import { createView, type View, type ViewFile } from "./view.ts";

/** One workspace in memory: its working tree and the refs that were asked for. */
export interface ProjectIndex {
  readonly root: string;
  readonly projectId: string;
  readonly family: string;
  readonly repository?: GitRepository;
  /** Whether the folder still belongs to the repository it was opened with, or to none. */
  isCurrent(): boolean;
  /** The index of the working tree, or of a ref. */
  index(ref: string): Promise<TreeIndex>;
  /** What is searched: the files of the index as far as they are in it. */
  view(index: TreeIndex): Promise<View>;
  imports(view: View): ImportGraph;
  readonly history: ProjectHistory;
  /** The text of a file of the view, and whether it still is the one that the view was made of. */
  textOf(file: ViewFile, ref: string): Promise<FileText | undefined>;
  close(): Promise<void>;
}

export interface FileText {
  readonly text: string;
  readonly isSame: boolean;
}

/** What all projects of a server share. */
export interface ProjectServices {
  readonly store: IndexStore;
  readonly recorder: Recorder;
  /** One for each repository: its worktrees have most blobs in common. */
  poolFor(family: string): SegmentPool;
  readonly maxFileBytes: number;
  /** Another store is opened in place of this one where it fails. */
  readonly isReplaceable: boolean;
  readonly familyOf: FamilyOf;
}

/** Names what folders share that have most blobs in common. */
export type FamilyOf = (root: string, repository?: GitRepository) => Promise<string>;

/** Opens a workspace: a repository, a folder in one, or a plain folder. */
export async function openProjectIndex(
  root: string,
  services: ProjectServices,
  known?: ProjectRow,
): Promise<ProjectIndex> {
  const before = repositoryMark(root);
  const around = await findRepository(root);
  const repository = around === undefined || (await isIgnored(around)) ? undefined : around;
  // One that is just being made is looked at again once it is ready.
  const mark = repository === undefined ? before : repositoryMark(root, repository);
  const family = await services.familyOf(root, repository);
  const isSame = known?.family === family && known.otherHost === undefined;
  const { projectId } = isSame ? known : await services.store.project(root, family);
  const pool = services.poolFor(family);
  const context: IndexContext = {
    ...services,
    projectId,
    pool,
    objectFormat: repository?.objectFormat ?? "sha1",
  };
  const history = createProjectHistory(services.store, family, repository);
  const indexes = new Map<string, Promise<TreeIndex>>();
  const open = (ref: string): Promise<TreeIndex> => {
    if (ref === LIVE) return openLiveIndex(root, context, repository);
    if (repository !== undefined) return openRefIndex(ref, context, repository);
    throw new PithError("ref_not_found", `${root} is no git repository: it has no ref ${ref}`, {
      ref,
      suggestion: "Leave ref out: the folder is searched as it is.",
    });
  };
  return {
    root,
    projectId,
    family,
    ...(repository !== undefined && { repository }),
    isCurrent: () => repositoryMark(root, repository) === mark,
    index(ref) {
      const known = indexes.get(ref);
      if (known !== undefined) return known;
      const opened = open(ref);
      indexes.set(ref, opened);
      // A ref that could not be opened may exist the next time.
      opened.catch(() => {
        if (indexes.get(ref) === opened) indexes.delete(ref);
      });
      return opened;
    },
    view: createViews(pool),
    imports: createGraphs(),
    history,
    textOf: (file, ref) => readText(file, ref, { root, context, repository }),
    async close() {
      await history.close();
      for (const index of indexes.values()) await (await index).close();
    },
  };
}

/** A view is made again only when the index has changed. */
function createViews(pool: SegmentPool): (index: TreeIndex) => Promise<View> {
  const views = new WeakMap<TreeIndex, { generation: number; view: View }>();
  return async (index) => {
    const generation = index.generation();
    const known = views.get(index);
    if (known?.generation === generation) return known.view;
    const keys = new Map<string, string>();
    for (const { path, key } of index.entries.values()) if (key !== undefined) keys.set(path, key);
    const view = createView(await pool.segmentsFor(keys.values()), keys);
    views.set(index, { generation, view });
    return view;
  };
}

/** An import graph of slightly older files serves as well: it only leans the order. */
const GRAPH_TOLERANCE = 0.05;

function createGraphs(): (view: View) => ImportGraph {
  let last: { files: number; view: View; graph: ImportGraph } | undefined;
  return (view) => {
    const drift = last === undefined ? 1 : Math.abs(view.files.length - last.files) / Math.max(1, last.files);
    if (last === undefined || (last.view !== view && drift > GRAPH_TOLERANCE))
      last = { files: view.files.length, view, graph: createImportGraph(view) };
    return last.graph;
  };
}

async function readText(
  file: ViewFile,
  ref: string,
  place: { root: string; context: IndexContext; repository: GitRepository | undefined },
): Promise<FileText | undefined> {
  const [hash = ""] = file.key.split(".");
  if (ref === LIVE || place.repository === undefined) {
    const limit = Math.max(MAX_READ, place.context.maxFileBytes);
    const content = readContent(`${place.root}/${file.path}`, limit);
    const text = content === undefined || "tooLarge" in content ? undefined : decode(content.bytes);
    if (content === undefined || "tooLarge" in content || text === undefined) return undefined;
    return { text, isSame: blobHash(content.bytes, place.context.objectFormat) === hash };
  }
  const bytes = (await readBlobs(place.repository, [hash])).get(hash);
  const text = bytes === undefined ? undefined : decode(bytes);
  return text === undefined ? undefined : { text, isSame: true };
}

/** The file may have grown since it was indexed; its lines are still shown. */
const MAX_READ = 16 * 1024 * 1024;
