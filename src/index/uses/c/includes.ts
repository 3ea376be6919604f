import { addToGroup } from "../../../kernel/group-by.ts";
import type { ViewFile } from "../../live/view.ts";
import { folderOf, joinPath, type ModuleTree } from "../modules/module-rules.ts";

/** Folders from which includes usually begin, as compilers are told with `-I`. */
const INCLUDE_FOLDER = /(?:^|\/)(?:include|includes|inc|src|source|lib|api|public)$/u;
/** Upper bound on the files that one file includes, directly or not. */
const MAX_INCLUDED = 4_000;

const filesByName = new WeakMap<ModuleTree["view"], ReadonlyMap<string, readonly ViewFile[]>>();

function namedFiles(tree: ModuleTree, name: string): readonly ViewFile[] {
  let known = filesByName.get(tree.view);
  if (known === undefined) {
    const groups = new Map<string, ViewFile[]>();
    for (const file of tree.view.files)
      addToGroup(groups, file.path.slice(file.path.lastIndexOf("/") + 1), file);
    filesByName.set(tree.view, groups);
    known = groups;
  }
  return known.get(name) ?? [];
}

/** Finds the file of an include: beside the including file, then below a folder of the project that includes begin in. */
export function includedFile(module: string, from: ViewFile, tree: ModuleTree): ViewFile | undefined {
  const isSystem = module.startsWith("<");
  const path = isSystem ? module.slice(1, -1) : module;
  const beside = isSystem ? undefined : joinPath(folderOf(from.path), path);
  const found = beside === undefined ? undefined : tree.view.fileAt(beside);
  if (found !== undefined) return found;
  const plain = joinPath("", path.replace(/^(?:\.\.?\/)+/u, ""));
  if (plain === undefined) return undefined;
  let best: { readonly file: ViewFile; readonly score: number } | undefined;
  for (const file of namedFiles(tree, plain.slice(plain.lastIndexOf("/") + 1))) {
    if (file.path !== plain && !file.path.endsWith(`/${plain}`)) continue;
    const root = file.path.slice(0, Math.max(0, file.path.length - plain.length - 1));
    const isRoot = root === "" || INCLUDE_FOLDER.test(root);
    // A header of the system may have the name of any file, so that only the usual folders count.
    if (isSystem && !isRoot && !plain.includes("/")) continue;
    const score = (isRoot ? 1_000 : 0) + commonLength(root, folderOf(from.path)) - root.length / 1_000;
    if (best === undefined || score > best.score) best = { file, score };
  }
  return best?.file;
}

function commonLength(a: string, b: string): number {
  const [one, other] = [a.split("/"), b.split("/")];
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

/** Returns a file and all files that it includes, directly or not. */
export async function withIncluded(file: ViewFile, tree: ModuleTree): Promise<ReadonlyMap<string, ViewFile>> {
  const found = new Map([[file.path, file]]);
  for (const one of found.values()) {
    if (found.size > MAX_INCLUDED) break;
    for (const { module } of (await tree.factsOf(one)).links) {
      if (module.startsWith("using:")) continue;
      const next = includedFile(module, one, tree);
      if (next !== undefined) found.set(next.path, next);
    }
  }
  return found;
}
