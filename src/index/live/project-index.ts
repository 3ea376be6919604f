import { PithError } from "../../kernel/errors.ts";
import {
  findRepository,
  isIgnored,
  repositoryFingerprint,
  type GitRepository,
} from "../../workspace/git/git-repository.ts";
import { blobHash, readBlobs } from "../../workspace/git/git-objects.ts";
import { readContent } from "../../workspace/files/file-signature.ts";
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

/** The index of one workspace in memory: that of its working tree and those of the git refs that were queried. */
export interface ProjectIndex {
  readonly root: string;
  readonly projectId: string;
  readonly family: string;
  readonly repository?: GitRepository;
  /** Returns false if the folder belongs to another repository than when it was opened, or no longer to any. */
  isCurrent(): boolean;
  /** Returns the index of the working tree or of a ref. */
  index(ref: string): Promise<TreeIndex>;
  /** Returns the searchable view of the files in an index. */
  view(index: TreeIndex): Promise<View>;
  imports(view: View): ImportGraph;
  readonly history: ProjectHistory;
  /** Reads the text of a file and reports whether it has changed since it was indexed. */
  textOf(file: ViewFile, ref: string): Promise<FileText | undefined>;
  close(): Promise<void>;
}

export interface FileText {
  readonly text: string;
  readonly isSame: boolean;
}

/** The services and settings that all projects of a server share. */
export interface ProjectServices {
  readonly store: IndexStore;
  readonly recorder: Recorder;
  /**
   * Returns the index data in memory of a repository. Its worktrees share it, because they have most file contents in
   * common.
   */
  poolFor(family: string): SegmentPool;
  readonly maxFileBytes: number;
  /** Whether a fallback store is opened if this store fails. */
  readonly isReplaceable: boolean;
  readonly familyOf: FamilyOf;
}

/** Returns a name that is the same for all folders of one repository, which share stored data. */
export type FamilyOf = (root: string, repository?: GitRepository) => Promise<string>;

/** Opens the index of a workspace: a repository, a folder in one, or a plain folder. */
export async function openProjectIndex(
  root: string,
  services: ProjectServices,
  known?: ProjectRow,
): Promise<ProjectIndex> {
  const before = repositoryFingerprint(root);
  const around = await findRepository(root);
  const repository = around === undefined || (await isIgnored(around)) ? undefined : around;
  // If there is no repository, the fingerprint taken before the search for one is used, so that a repository created
  // during the search is noticed.
  const mark = repository === undefined ? before : repositoryFingerprint(root, repository);
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
    throw new PithError("ref_not_found", `${root} is not a git repository, so it has no ref ${ref}`, {
      ref,
      suggestion: "Leave ref out to search the folder as it is.",
    });
  };
  return {
    root,
    projectId,
    family,
    ...(repository !== undefined && { repository }),
    isCurrent: () => repositoryFingerprint(root, repository) === mark,
    index(ref) {
      const known = indexes.get(ref);
      if (known !== undefined) return known;
      const opened = open(ref);
      indexes.set(ref, opened);
      // A ref that could not be opened is tried again at the next call, because it may exist by then.
      opened.catch(() => {
        if (indexes.get(ref) === opened) indexes.delete(ref);
      });
      return opened;
    },
    view: cacheViews(pool),
    imports: cacheImportGraph(),
    history,
    textOf: (file, ref) => readText(file, ref, { root, context, repository }),
    async close() {
      await history.close();
      for (const index of indexes.values()) await (await index).close();
    },
  };
}

/** Caches the searchable view of each index until the index changes. */
function cacheViews(pool: SegmentPool): (index: TreeIndex) => Promise<View> {
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

/**
 * Share of the files that may be added or removed before the import graph is rebuilt; the graph only affects ranking.
 */
const MAX_GRAPH_DRIFT = 0.05;

function cacheImportGraph(): (view: View) => ImportGraph {
  let last: { files: number; view: View; graph: ImportGraph } | undefined;
  return (view) => {
    const drift = last === undefined ? 1 : Math.abs(view.files.length - last.files) / Math.max(1, last.files);
    if (last === undefined || (last.view !== view && drift > MAX_GRAPH_DRIFT))
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
    const limit = Math.max(MAX_READ_BYTES, place.context.maxFileBytes);
    const content = readContent(place.root, file.path, limit);
    const text = content === undefined || "tooLarge" in content ? undefined : decode(content.bytes);
    if (content === undefined || "tooLarge" in content || text === undefined) return undefined;
    return { text, isSame: blobHash(content.bytes, place.context.objectFormat) === hash };
  }
  const bytes = (await readBlobs(place.repository, [hash])).get(hash);
  const text = bytes === undefined ? undefined : decode(bytes);
  return text === undefined ? undefined : { text, isSame: true };
}

/**
 * Size limit for reading a file. It is higher than the limit for indexing, because a file that has grown since it was
 * indexed is still shown.
 */
const MAX_READ_BYTES = 16 * 1024 * 1024;
