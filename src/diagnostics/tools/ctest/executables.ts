import { posix } from "node:path";
import type { FolderFacts } from "../../tool.ts";

/** The source files of each program that a build folder makes; all paths are absolute, as CMake writes them. */
export type Executables = ReadonlyMap<string, ReadonlySet<string>>;

/** Reads which sources each program is made of, from the files that CMake generates for ninja or for make. */
export function executablesOf(build: string, root: string, folder: FolderFacts): Executables {
  const ninja = folder.read(posix.join(build, "build.ninja"));
  return ninja === undefined ? fromMakefiles(build, root, folder) : fromNinja(ninja, root);
}

/** `build tests/a: C_EXECUTABLE_LINKER__a_Debug tests/CMakeFiles/a.dir/a.c.o | libshop.a` */
const NINJA_LINE = /^build (.+?): \w+_(COMPILER|EXECUTABLE_LINKER)__\S* (.*)$/gm;

function fromNinja(text: string, root: string): Executables {
  const sources = new Map<string, string>();
  const links: { readonly program: string; readonly inputs: readonly string[] }[] = [];
  for (const [, outputs = "", rule, inputs = ""] of text.matchAll(NINJA_LINE)) {
    const [output = ""] = ninjaPaths(outputs);
    const [explicit = ""] = inputs.split(" | ");
    const paths = ninjaPaths(explicit.split(" || ")[0] ?? "");
    if (rule === "COMPILER") sources.set(output, absolute(root, paths[0] ?? ""));
    else links.push({ program: absolute(root, output), inputs: paths });
  }
  return new Map(
    links.map(({ program, inputs }) => [program, new Set(inputs.flatMap((path) => sources.get(path) ?? []))]),
  );
}

/** CMake writes paths outside of the build folder with their root or drive. */
function absolute(root: string, path: string): string {
  return /^(?:[A-Za-z]:)?\//.test(path) ? path : posix.join(root, path);
}

/** Ninja escapes blanks, colons and dollars of a path with a dollar. */
function ninjaPaths(text: string): string[] {
  return (text.match(/(?:\$[^]|[^ $])+/g) ?? []).map((path) => path.replaceAll(/\$([^])/g, "$1"));
}

/** `"/shop/tests/a.c" "tests/CMakeFiles/a.dir/a.c.o" "gcc" "tests/CMakeFiles/a.dir/a.c.o.d"` */
const COMPILED = /^ *"([^"]+)" "([^"]+\.(?:o|obj))"/gm;

function fromMakefiles(build: string, root: string, folder: FolderFacts): Executables {
  const targets = (folder.read(posix.join(build, "CMakeFiles/TargetDirectories.txt")) ?? "")
    .split(/\r?\n/)
    .filter((path) => path !== "")
    .map((path) => posix.relative(root, path));
  const sources = new Map<string, string>();
  for (const target of targets) {
    const text = folder.read(posix.join(build, target, "DependInfo.cmake")) ?? "";
    for (const [, source = "", object = ""] of text.matchAll(COMPILED)) sources.set(object, source);
  }
  const programs = new Map<string, ReadonlySet<string>>();
  for (const target of targets) {
    const words = commandWords(folder.read(posix.join(build, target, "link.txt")) ?? "");
    const output = words[words.indexOf("-o") + 1];
    if (!words.includes("-o") || output === undefined) continue;
    // The linker runs in the folder above CMakeFiles.
    const at = posix.dirname(posix.dirname(target));
    const objects = words.map((word) => posix.join(at, word));
    programs.set(
      absolute(root, output.startsWith("/") ? output : posix.join(at, output)),
      new Set(objects.flatMap((object) => sources.get(object) ?? [])),
    );
  }
  return programs;
}

function commandWords(text: string): string[] {
  return (text.match(/(?:"[^"]*"|\\[^]|[^\s"\\])+/g) ?? []).map((word) =>
    word.replaceAll(/"([^"]*)"|\\([^])/g, "$1$2"),
  );
}
