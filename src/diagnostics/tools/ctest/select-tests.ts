import { posix } from "node:path";
import type { FolderFacts } from "../../tool.ts";
import { configuredFolder } from "../cmake/build-folder.ts";
import { looksLikeTest } from "../cmake/test-sources.ts";
import { type Executables, executablesOf } from "./executables.ts";
import { type RegisteredTest, registeredTests } from "./test-files.ts";

/** Returns regular expressions for the names of the tests in each file. A file that is part of no test is absent. */
export function namesOfTests(
  paths: readonly string[],
  folder: FolderFacts,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const configured = readBuild(folder);
  if (configured === undefined) return found;
  const { home, programs, tests } = configured;
  for (const path of paths) {
    const names = [...programsOf(posix.join(home, path), programs)].flatMap((program) =>
      namesIn(program, tests, () => folder.read(path) ?? ""),
    );
    if (names.length > 0) found.set(path, [...new Set(names)]);
  }
  return found;
}

/** Returns the other test files that are compiled into the same programs, if the tests in a file cannot be told apart. */
export function testsBeside(paths: readonly string[], folder: FolderFacts): string[] {
  const { home, programs, tests } = readBuild(folder) ?? {
    home: "",
    programs: new Map<string, never>(),
    tests: [],
  };
  const others = paths.flatMap((path) =>
    [...programsOf(posix.join(home, path), programs)].flatMap((program) =>
      ownTests(program, tests).some(({ isDiscovered }) => isDiscovered) &&
      casesIn(folder.read(path) ?? "").length > 0
        ? []
        : [...(programs.get(program) ?? [])].map((source) => posix.relative(home, source)),
    ),
  );
  return [...new Set(others)].filter((path) => looksLikeTest(path) && !paths.includes(path));
}

interface ConfiguredBuild {
  readonly home: string;
  readonly programs: Executables;
  readonly tests: readonly RegisteredTest[];
}

function readBuild(folder: FolderFacts): ConfiguredBuild | undefined {
  const build = configuredFolder(folder, "CMakeCache.txt");
  if (build === undefined) return undefined;
  const cache = folder.read(posix.join(build, "CMakeCache.txt")) ?? "";
  const root = cacheEntry(cache, "CMAKE_CACHEFILE_DIR");
  return {
    home: cacheEntry(cache, "CMAKE_HOME_DIRECTORY"),
    programs: executablesOf(build, root, folder),
    tests: registeredTests(build, root, folder),
  };
}

function cacheEntry(cache: string, name: string): string {
  return new RegExp(`^${name}:INTERNAL=(.*)$`, "m").exec(cache)?.[1]?.trim() ?? "";
}

function* programsOf(source: string, programs: Executables): Generator<string> {
  for (const [program, sources] of programs) if (sources.has(source)) yield program;
}

/**
 * The tests that run a program. Those that CMake finds by asking the program are named by the source, because the program
 * may be older than it.
 */
function namesIn(program: string, tests: readonly RegisteredTest[], text: () => string): readonly string[] {
  const own = ownTests(program, tests);
  const cases = own.some(({ isDiscovered }) => isDiscovered) ? casesIn(text()) : [];
  if (cases.length > 0) return cases;
  return own.flatMap(({ name }) => (name === "" || isNotBuilt(name, program) ? [] : [`^${escaped(name)}$`]));
}

function ownTests(program: string, tests: readonly RegisteredTest[]): RegisteredTest[] {
  return tests.filter(
    ({ name, command, folder }) =>
      isNotBuilt(name, program) ||
      command.some((word) => word === program || posix.join(folder, word) === program),
  );
}

function isNotBuilt(name: string, program: string): boolean {
  return name.startsWith(`${posix.basename(program)}_NOT_BUILT`);
}

/** `TEST_F(CartTest, IsEmpty)` of GoogleTest, whose name is `CartTest.IsEmpty` or `Rates/CartTest.IsEmpty/0`. */
const SUITE = /^[ \t]*(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(\w+)\s*,\s*\w+\s*\)/gm;
/** `TEST_CASE("an empty cart")` of Catch2 and doctest; a fixture may stand before the name. */
const NAMED_CASE =
  /^[ \t]*(?:TEMPLATE_)?(?:TEST_CASE|SCENARIO)(?:_METHOD|_FIXTURE|_TEMPLATE)*\s*\((?:\s*\w+\s*,)?\s*"((?:[^"\\\n]|\\.)+)"/gm;

/** A project may put a prefix before the names of tests and a suffix after them. */
const START = "(^|[^A-Za-z0-9])";
const END = "($|[^A-Za-z0-9])";

function casesIn(text: string): string[] {
  const suites = Array.from(text.matchAll(SUITE), ([, suite = ""]) => `${START}${suite}[./]`);
  const named = Array.from(
    text.matchAll(NAMED_CASE),
    ([, name = ""]) => `${START}${escaped(name.replaceAll(/\\(.)/g, "$1"))}${END}`,
  );
  return [...new Set([...suites, ...named])];
}

/** The regular expression of CMake that matches a name. */
export function escaped(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]|]/g, String.raw`\$&`);
}
