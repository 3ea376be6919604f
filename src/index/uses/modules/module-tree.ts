import { addToGroup } from "../../../kernel/group-by.ts";
import type { View, ViewFile } from "../../live/view.ts";
import type { UseReader } from "../use-reader.ts";
import { folderOf, type ModuleTree } from "./module-rules.ts";

interface Folders {
  readonly files: ReadonlyMap<string, readonly ViewFile[]>;
  readonly all: ReadonlySet<string>;
}

const foldersOfView = new WeakMap<View, Folders>();

/** Creates the tree of a view's files. `readText` returns the current text of a file. */
export function createModuleTree(
  view: View,
  reader: UseReader,
  readText: (file: ViewFile) => Promise<string | undefined>,
): ModuleTree {
  const known = foldersOfView.get(view) ?? collectFolders(view);
  foldersOfView.set(view, known);
  return {
    view,
    filesIn: (folder) => known.files.get(folder) ?? [],
    hasFolder: (folder) => folder === "" || known.all.has(folder),
    async textOf(path) {
      const file = view.fileAt(path);
      return file === undefined ? undefined : readText(file);
    },
    factsOf: (file) => reader.factsOf(file),
  };
}

function collectFolders(view: View): Folders {
  const files = new Map<string, ViewFile[]>();
  const all = new Set<string>();
  for (const file of view.files) {
    let folder = folderOf(file.path);
    addToGroup(files, folder, file);
    while (folder !== "" && !all.has(folder)) {
      all.add(folder);
      folder = folderOf(folder);
    }
  }
  return { files, all };
}
