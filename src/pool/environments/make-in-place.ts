import { mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { removeFolder } from "../../workspace/snapshot/remove-folder.ts";
import { onlyFiles, type StagedFiles } from "./ecosystem.ts";
import { writeStaged } from "./layer-files.ts";

interface PlacedLayer {
  /** The folder of the job, in which the layer is made. */
  readonly place: string;
  /** The empty folder that gets the result. */
  readonly tree: string;
  readonly staged: StagedFiles;
  /** The folders of the job that the commands need. */
  readonly placed: readonly string[];
}

/**
 * Makes a layer in the folder of a job, while the job's own files are moved aside, so that the result can depend on
 * nothing but the staged files and the placed folders. Everything is moved and not copied, which keeps the files' times.
 */
export async function makeInPlace(
  { place, tree, staged, placed }: PlacedLayer,
  run: (root: string) => Promise<void>,
): Promise<void> {
  const aside = `${place}.aside`;
  await rename(place, aside);
  try {
    await mkdir(place, { mode: 0o700 });
    const isPlaced = (path: string): boolean => placed.some((folder) => path.startsWith(`${folder}/`));
    await writeStaged(
      place,
      onlyFiles(staged, (path) => !isPlaced(path)),
    );
    await moveFolders(placed, aside, place);
    try {
      await run(place);
    } finally {
      await moveFolders(placed, place, aside);
    }
    await rmdir(tree);
    await rename(place, tree);
  } finally {
    await removeFolder(place);
    await rename(aside, place);
  }
}

interface ReducedFolder {
  /** The folder of the lock file in the job's folder. */
  readonly place: string;
  readonly inputs: StagedFiles;
  readonly staged: StagedFiles;
}

/** Runs something while the files that are reduced for an installation are replaced by what is left of them. */
export async function withReduced(
  { place, inputs, staged }: ReducedFolder,
  run: () => Promise<void>,
): Promise<void> {
  const reduced = [...staged].filter(([path, { bytes }]) => inputs.get(path)?.bytes.equals(bytes) === false);
  try {
    for (const [path, { bytes }] of reduced) {
      await rename(join(place, path), join(place, `${path}.aside`));
      await writeFile(join(place, path), bytes);
    }
    await run();
  } finally {
    // The commands may have removed or replaced any of them.
    for (const [path] of reduced) {
      await rm(join(place, path), { recursive: true, force: true });
      await rename(join(place, `${path}.aside`), join(place, path));
    }
  }
}

async function moveFolders(folders: readonly string[], from: string, to: string): Promise<void> {
  for (const folder of folders) {
    await mkdir(dirname(join(to, folder)), { recursive: true });
    await rename(join(from, folder), join(to, folder));
  }
}
