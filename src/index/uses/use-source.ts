import type { HitSource } from "../query/hit-source.ts";
import type { UseSource } from "./find-uses.ts";
import { createModuleTree } from "./modules/module-tree.ts";
import { createUseReader } from "./use-reader.ts";

const sources = new WeakMap<HitSource, UseSource>();

/** Returns what resolving needs for one answer; the files that it reads are read once. */
export function useSourceOf(source: HitSource): UseSource {
  const known = sources.get(source);
  if (known !== undefined) return known;
  const created = createUseSource(source);
  sources.set(source, created);
  return created;
}

/** Creates what resolving needs for a part of an answer that reads many files, which are then no longer kept. */
export function createUseSource({ view, store, project, ref }: HitSource): UseSource {
  const reader = createUseReader(store);
  const tree = createModuleTree(view, reader, async (file) => (await project.textOf(file, ref))?.text);
  return { view, reader, tree };
}
