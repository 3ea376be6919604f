import { existsSync, statSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import type { EngineResult } from "../../diagnostics/engine/engine.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { findManifests, nearestText } from "../../workspace/files/folder-files.ts";

/** Limits on the search for the packages of a monorepo: the depth of folders and the number of packages. */
const LIMITS = { depth: 4, count: 500 };

type Found = Pick<EngineResult, "diagnostics" | "tests" | "ranIn">;

/**
 * Makes file names relative to `cwd` in the findings of tools that a task runner started inside the packages of a
 * monorepo.
 */
export function resolvePackageFiles(
  { diagnostics, tests, ranIn }: Found,
  cwd: string,
): Pick<Found, "diagnostics" | "tests"> {
  if (ranIn.size === 0) return { diagnostics, tests };
  const pathOf = packageFiles(cwd);
  const moved = <T extends Diagnostic | TestFailure>(one: T): T => {
    const where = ranIn.get(one);
    return one.file === undefined || where === undefined ? one : { ...one, file: pathOf(one.file, where) };
  };
  return {
    diagnostics: diagnostics.map(moved),
    tests: tests.map((test) => ({ ...test, failures: test.failures.map(moved) })),
  };
}

/**
 * Resolves file names that are relative to the package or folder in which a tool ran: `src/a.ts` of the package `@shop/api`
 * is `packages/api/src/a.ts`. A file that does not exist there stays as it was printed.
 */
function packageFiles(cwd: string): (file: string, ranIn: string) => string {
  const folders = new Map<string, string | undefined>();
  let packages: ReadonlyMap<string, string> | undefined;
  const folderOf = (name: string): string | undefined => {
    if (isFolder(join(cwd, name))) return join(cwd, name);
    packages ??= packageFolders(cwd);
    return packages.get(name);
  };
  return (file, ranIn) => {
    if (!folders.has(ranIn)) folders.set(ranIn, firstFolder(ranIn, folderOf));
    const folder = folders.get(ranIn);
    if (folder === undefined || !existsSync(join(folder, file))) return file;
    return relative(cwd, join(folder, file)).split(sep).join("/");
  };
}

/**
 * Finds the package folder for a label that a task runner prints, such as `web:build`, `@shop/web#test`, `packages/web
 * build`, or a folder's name.
 */
function firstFolder(ranIn: string, folderOf: (name: string) => string | undefined): string | undefined {
  if (isAbsolute(ranIn)) return isFolder(ranIn) ? ranIn : undefined;
  for (const name of [ranIn, ranIn.replace(/[:#][^:#]*$/, ""), ranIn.replace(/ .*$/, "")]) {
    const folder = folderOf(name);
    if (folder !== undefined) return folder;
  }
  return undefined;
}

function packageFolders(cwd: string): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const { folder } of findManifests(cwd, (name) => name === "package.json", LIMITS).found) {
    const path = join(cwd, folder);
    const name = /"name"\s*:\s*"([^"\\]{1,214})"/.exec(nearestText(path, path, "package.json") ?? "")?.[1];
    if (name !== undefined && !folders.has(name)) folders.set(name, path);
  }
  return folders;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
