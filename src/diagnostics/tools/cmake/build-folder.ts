import type { FolderFacts } from "../../tool.ts";

/** The folder that is named if none is configured yet. */
const USUAL_FOLDER = "build";
/** Names of build folders, and of folders of build folders such as `out/build/debug`. */
const BUILD_FOLDER = /^(?:cmake-|_|\.)?(?:build(?:dir)?|out|bin|obj)(?:$|[-_. ])/i;
const MAX_DEPTH = 3;
const MAX_FOLDERS = 300;

/**
 * Finds the build folder of a project by a file that the build system puts there: its path relative to the project, or
 * undefined if none is configured.
 */
export function configuredFolder(folder: FolderFacts, file: string): string | undefined {
  const isConfigured = (path: string): boolean => folder.has(`${path}/${file}`);
  // Projects that are built beside their sources.
  if (folder.has(file)) return ".";
  if (isConfigured(USUAL_FOLDER)) return USUAL_FOLDER;
  let level = folder.names(".").filter((name) => BUILD_FOLDER.test(name));
  for (let depth = 1; depth <= MAX_DEPTH && level.length > 0; depth++) {
    // Other tools have folders of these names too, with any number of files.
    level = level.slice(0, MAX_FOLDERS);
    const found = level.toSorted().find(isConfigured);
    if (found !== undefined) return found;
    level = level.flatMap((path) =>
      folder
        .names(path)
        .filter((name) => !name.includes("."))
        .map((name) => `${path}/${name}`),
    );
  }
  return undefined;
}

/** The build folder that CMake is configured for, or the one to configure. */
export function cmakeFolder(folder: FolderFacts): string {
  return configuredFolder(folder, "CMakeCache.txt") ?? USUAL_FOLDER;
}
