import { statOf } from "../../workspace/files/file-signature.ts";
import { MAX_LOADED_PROJECTS, type IndexCore } from "../core.ts";
import { corpusOf } from "../semantic-corpus.ts";
import type { ProjectRow } from "../store/store.ts";

/**
 * Number of files up to which a project is preloaded; a larger one is loaded on demand, because that takes noticeable
 * time.
 */
const MAX_PRELOADED_FILES = 5_000;

/**
 * Returns the roots of the most recently used workspaces, in memory or in the store, with the server's own one first.
 */
export async function recentRoots(core: IndexCore, home?: string): Promise<readonly string[]> {
  const inMemory = core.loadedRoots().toReversed();
  const stored = (await storedProjects(core)).map(({ root }) => root);
  const all = new Set([...(home === undefined ? [] : [home]), ...inMemory, ...stored]);
  return [...all].slice(0, MAX_LOADED_PROJECTS);
}

/** Returns this machine's projects that the server may serve, most recently used first. */
async function storedProjects(core: IndexCore): Promise<readonly ProjectRow[]> {
  const { mayServe = () => true } = core.settings;
  const projects = await (await core.store()).projects();
  return projects
    .filter(({ root, otherHost }) => otherHost === undefined && mayServe(root))
    .filter(({ root }) => statOf(root)?.isDirectory() === true)
    .sort((a, b) => b.lastUsed - a.lastUsed);
}

/**
 * Loads the stored index of the server's own folder and of other recently used small projects into memory. Folders
 * without an index are skipped, and preloading does not count as a use.
 */
export async function preload(core: IndexCore, home: string): Promise<void> {
  const stored = new Map((await storedProjects(core)).map((project) => [project.root, project]));
  const members = (await recentRoots(core, home)).filter((root) => stored.has(root));
  // The most recently used project is loaded first, because each preloaded one counts as less recent than those in
  // memory.
  for (const root of members)
    if (root === home) await loadHome(core, home);
    else if (core.loadedRoots().length < MAX_LOADED_PROJECTS && (await isSmall(core, stored.get(root))))
      await loadProject(core, root);
}

async function isSmall(core: IndexCore, project: ProjectRow | undefined): Promise<boolean> {
  if (project === undefined) return false;
  const manifests = await (await core.store()).manifests(project.projectId);
  const live = manifests.find(({ ref }) => ref === "live");
  return live?.complete === true && live.files <= MAX_PRELOADED_FILES;
}

async function loadProject(core: IndexCore, root: string) {
  const project = await core.project(root, { warming: true });
  const index = await project.index("live");
  const view = await project.view(index);
  return { project, index, view };
}

async function loadHome(core: IndexCore, root: string): Promise<void> {
  const { project, index } = await loadProject(core, root);
  if (index.entries.size === 0) return;
  await index.scan();
  const view = await project.view(index);
  project.imports(view);
  await core.settings.semantic?.warm(corpusOf({ project, store: await core.store(), view, ref: "live" }));
}
