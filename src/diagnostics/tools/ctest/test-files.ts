import { posix } from "node:path";
import type { FolderFacts } from "../../tool.ts";

/** A test as CMake has written it into the build folder. */
export interface RegisteredTest {
  readonly name: string;
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** The folder in which the command runs, if it is not told another one. */
  readonly folder: string;
  /** True if the test was found by asking the test program, so that a new build may add others. */
  readonly isDiscovered: boolean;
}

const MAX_FILES = 5_000;
/** `add_test(…)`, `subdirs(…)` or `include(…)` at the start of a line. */
const CALL =
  /^[ \t]*(add_test|subdirs|include|gtest_discover_tests_impl|catch_discover_tests_impl)[ \t]*\(/gm;
/** An argument of CMake's language: in brackets, in quotes, or bare. */
const ARGUMENT = /\[(=*)\[([^]*?)\]\1\]|"((?:[^"\\]|\\[^])*)"|([^\s()"#]+)|(\))/gy;

/**
 * Reads the tests of a build folder from the CTestTestfile.cmake files, as ctest does. Paths that CMake writes are
 * absolute; `root` is the build folder's own among them.
 */
export function registeredTests(build: string, root: string, folder: FolderFacts): RegisteredTest[] {
  const tests: RegisteredTest[] = [];
  const open = [{ path: posix.join(build, "CTestTestfile.cmake"), isDiscovered: false }];
  const inBuild = (path: string): string => posix.join(build, posix.relative(root, path));
  for (let count = 0; open.length > 0 && count < MAX_FILES; count++) {
    const file = open.shift();
    if (file === undefined) break;
    const text = folder.read(file.path);
    if (text === undefined) continue;
    const at = posix.join(root, posix.relative(build, posix.dirname(file.path)));
    for (const { name, args } of callsIn(text)) {
      const [first = "", ...rest] = args;
      if (name === "add_test")
        tests.push({ name: first, command: rest, folder: at, isDiscovered: file.isDiscovered });
      else if (name === "subdirs")
        for (const below of args)
          open.push({
            path: posix.join(
              posix.isAbsolute(below) ? inBuild(below) : posix.join(posix.dirname(file.path), below),
              "CTestTestfile.cmake",
            ),
            isDiscovered: false,
          });
      else if (name === "include") open.push({ path: inBuild(first), isDiscovered: true });
      else tests.push({ name: "", command: args, folder: at, isDiscovered: true });
    }
  }
  return tests;
}

function* callsIn(text: string): Generator<{ readonly name: string; readonly args: readonly string[] }> {
  for (const call of text.matchAll(CALL))
    yield { name: call[1] ?? "", args: argumentsAt(text, call.index + call[0].length) };
}

function argumentsAt(text: string, start: number): string[] {
  const args: string[] = [];
  ARGUMENT.lastIndex = start;
  for (;;) {
    const from = ARGUMENT.lastIndex;
    const blank = /\s*/y;
    blank.lastIndex = from;
    ARGUMENT.lastIndex = from + (blank.exec(text)?.[0].length ?? 0);
    const found = ARGUMENT.exec(text);
    if (found === null || found[5] !== undefined) return args;
    const [, , bracket, quoted, bare] = found;
    args.push(bracket ?? quoted?.replaceAll(/\\([^])/g, "$1") ?? bare ?? "");
  }
}
