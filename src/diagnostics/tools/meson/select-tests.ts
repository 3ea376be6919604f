import { posix } from "node:path";
import type { FolderFacts } from "../../tool.ts";
import { configuredFolder } from "../cmake/build-folder.ts";
import { looksLikeTest } from "../cmake/test-sources.ts";

const TESTS = "meson-info/intro-tests.json";
const PLACES = "meson-info/meson-info.json";
const TARGETS = "meson-info/intro-targets.json";

/** The build folder that Meson is configured for, or the one to configure. */
export function mesonFolder(folder: FolderFacts): string {
  return configuredFolder(folder, TESTS) ?? "build";
}

/** Returns the names of the tests in each file. A file that is part of no test is absent. */
export function namesOfTests(
  paths: readonly string[],
  folder: FolderFacts,
): ReadonlyMap<string, readonly string[]> {
  const build = mesonFolder(folder);
  const { root, programs } = readPrograms(folder);
  const tests = rowsOf(folder.read(posix.join(build, TESTS)));
  const found = new Map<string, readonly string[]>();
  for (const path of paths) {
    const ids = programs
      .filter(({ sources }) => sources.some((source) => isSource(source, path, root)))
      .map(({ id }) => id);
    const names = tests
      .filter(({ depends }) => textsIn(depends).some((id) => ids.includes(id)))
      .flatMap(({ name }) => (typeof name === "string" ? [name] : []));
    if (names.length > 0) found.set(path, [...new Set(names)]);
  }
  return found;
}

/** Returns the other test files that are compiled into the same programs. */
export function testsBeside(paths: readonly string[], folder: FolderFacts): string[] {
  const { root, programs } = readPrograms(folder);
  if (root === undefined) return [];
  const own = programs.filter(({ sources }) =>
    paths.some((path) => sources.includes(posix.join(root, path))),
  );
  const others = own.flatMap(({ sources }) => sources.map((source) => posix.relative(root, source)));
  return [...new Set(others)].filter((path) => looksLikeTest(path) && !paths.includes(path));
}

function readPrograms(folder: FolderFacts) {
  const build = mesonFolder(folder);
  return {
    root: sourceFolder(folder.read(posix.join(build, PLACES))),
    programs: rowsOf(folder.read(posix.join(build, TARGETS))).map((target) => ({
      id: target["id"],
      sources: rowsIn(target["target_sources"]).flatMap(({ sources }) => textsIn(sources)),
    })),
  };
}

/** Meson writes the sources with their absolute paths. */
function isSource(source: string, path: string, root: string | undefined): boolean {
  return root === undefined ? source.endsWith(`/${path}`) : source === posix.join(root, path);
}

function sourceFolder(text: string | undefined): string | undefined {
  return /"source"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(text ?? "")?.[1]?.replaceAll("\\\\", "/");
}

type Row = Readonly<Record<string, unknown>>;

function rowsOf(text: string | undefined): Row[] {
  try {
    return rowsIn(JSON.parse(text ?? "[]"));
  } catch {
    // Meson may be writing the file; then no test is known, and the reply says so.
    return [];
  }
}

function rowsIn(value: unknown): Row[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((row: unknown) => (typeof row === "object" && row !== null ? [{ ...row }] : []));
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
