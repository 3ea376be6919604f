import { posix } from "node:path";
import { classNames } from "../../parsing/class-names.ts";
import { packageFolder, packageFolders } from "../../parsing/package-folders.ts";
import type { FolderFacts } from "../../tool.ts";

/**
 * Runs the tests of some files. In a build of several projects only those of the files are tested, because a project
 * without a test of the given names fails.
 */
export function selectClasses(
  argv: readonly string[],
  paths: readonly string[],
  folder: FolderFacts,
): readonly string[] {
  const projectOf = (path: string): string => packageFolder(path, (at) => hasBuildFile(folder, at));
  const projects = packageFolders(paths, (at) => hasBuildFile(folder, at));
  const [first = "."] = projects;
  const before = argv.filter((word) => word !== "test");
  if (projects.length === 1 && first !== ".") return [...before, "-p", first, "test", ...tests(paths)];
  if (projects.length === 1) return [...before, hasProjects(folder) ? ":test" : "test", ...tests(paths)];
  return [
    ...before,
    // Without this option the tests of a project do not run after those of another have failed.
    "--continue",
    ...projects.flatMap((project) => [
      project === "." ? ":test" : `:${project.replaceAll("/", ":")}:test`,
      ...tests(paths.filter((path) => projectOf(path) === project)),
    ]),
  ];
}

/** Returns whether a folder has the settings of a build to which a project below belongs. */
export function isRootOf(folder: FolderFacts, part: string): boolean {
  const between = foldersBetween(part).some((at) => hasFile(folder, at, SETTINGS));
  return !between && hasProjects(folder);
}

function tests(paths: readonly string[]): string[] {
  return classNames(paths).flatMap((name) => ["--tests", `*.${name}`]);
}

const SETTINGS = ["settings.gradle", "settings.gradle.kts"];
const BUILD_FILES = ["build.gradle", "build.gradle.kts"];

function hasProjects(folder: FolderFacts): boolean {
  return SETTINGS.some((name) => /\binclude\b/.test(folder.read(name) ?? ""));
}

function hasBuildFile(folder: FolderFacts, at: string): boolean {
  return hasFile(folder, at, BUILD_FILES);
}

function hasFile(folder: FolderFacts, at: string, names: readonly string[]): boolean {
  return names.some((name) => folder.has(posix.join(at, name)));
}

/** The folder and those above it, relative to the root, which is not among them. */
function foldersBetween(part: string): string[] {
  const folders: string[] = [];
  for (let at = part; at !== "." && at !== "/" && at !== ""; at = posix.dirname(at)) folders.push(at);
  return folders;
}
