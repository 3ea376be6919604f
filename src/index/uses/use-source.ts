import type { HitSource } from "../query/hit-source.ts";
import type { UseSource } from "./find-uses.ts";
import { createModuleTree } from "./modules/module-tree.ts";
import { createUseReader } from "./use-reader.ts";

/** Creates what resolving needs for one answer; the files that it reads are read once. */
export function useSourceOf(source: HitSource): UseSource {
  const { view, store, project, ref } = source;
  const reader = createUseReader(store);
  const tree = createModuleTree(view, reader, async (file) => (await project.textOf(file, ref))?.text);
  return { view, reader, tree };
}
