import { posix } from "node:path";
import { classNames } from "../../parsing/class-names.ts";
import { packageFolders } from "../../parsing/package-folders.ts";
import type { FolderFacts } from "../../tool.ts";

/**
 * Runs the tests of some files. In a build of several modules, those that the modules need are compiled too, because
 * what is installed of them may be older.
 */
export function selectClasses(
  argv: readonly string[],
  paths: readonly string[],
  folder: FolderFacts,
): readonly string[] {
  const modules = packageFolders(paths, (at) => folder.has(posix.join(at, "pom.xml")));
  const isWhole = modules.length === 1 && modules[0] === "." && modulesOf(folder, ".").length === 0;
  return [
    ...argv,
    // Modules that need one whose tests failed are skipped all the same.
    ...(modules.length > 1 ? ["-fae"] : []),
    ...(isWhole ? [] : ["-pl", modules.join(","), "-am"]),
    `-Dtest=${classNames(paths).join(",")}`,
    // Modules without any of these classes are built, too.
    "-Dsurefire.failIfNoSpecifiedTests=false",
  ];
}

/** Returns whether the pom.xml in a folder makes `part` a module of its build, maybe through other modules. */
export function isModule(folder: FolderFacts, at: string, part: string): boolean {
  return modulesOf(folder, at).some(
    (module) => module === part || (part.startsWith(`${module}/`) && isModule(folder, module, part)),
  );
}

const MODULE = /<module>\s*([^<>\s][^<>]{0,500}?)\s*<\/module>/g;

/** The folders of the modules that every build includes. */
function modulesOf(folder: FolderFacts, at: string): string[] {
  const text = folder.read(posix.join(at, "pom.xml")) ?? "";
  const always = text.replaceAll(/<!--[^]*?-->|<profiles>[^]*?<\/profiles>/g, "");
  return Array.from(always.matchAll(MODULE), ([, module = ""]) =>
    posix.join(at, module.replace(/\/?pom\.xml$/, "") || ".").replace(/\/$/, ""),
  ).filter((module) => module !== at && !module.startsWith(".."));
}
