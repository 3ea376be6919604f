import { posix } from "node:path";
import type { TestFailure } from "../../../model/test-summary.ts";
import { defineBuildTool, type FolderFacts } from "../../tool.ts";
import { goTestParser } from "./parse.ts";

export const goTest = defineBuildTool({
  id: "go-test",
  title: "go test",
  url: "https://pkg.go.dev/cmd/go#hdr-Test_packages",
  ecosystem: "go",
  kinds: ["test"],
  programs: ["go"],
  signatures: [
    "--- FAIL: ",
    "--- PASS: ",
    "--- SKIP: ",
    "=== RUN ",
    "ok  ",
    "FAIL\t",
    "FAIL ",
    "[no test files]",
    "=== FAIL: ",
    "DONE ",
  ],
  priority: 7,
  parser: goTestParser,
  commands: [
    {
      name: "go.test",
      description: "Run the tests of all packages",
      detect: (folder) =>
        folder.nearest("go.mod") !== undefined
          ? "go.mod is here"
          : folder.has("go.work")
            ? "go.work is here"
            : undefined,
      // `./...` stands for the packages of one module.
      argv: (folder) => [
        "go",
        "test",
        ...(folder.has("go.work") ? usedModules(folder).map(below) : ["./..."]),
      ],
    },
  ],
  selectTests: {
    filter: (text) => ["-run", text],
    package: (name) => [name],
    files: goTestFolders,
    isRootOf: (folder, part) => usedModules(folder).includes(part),
    runsBesides: otherFiles,
  },
  filesOf: goTestFiles,
});

const PACKAGE = /^go test ([^\s'-]\S*)/;

/**
 * Go prints a test's file without its folder. The folder is the end of the package's path; how much of the path's
 * beginning names the module is unknown.
 */
function goTestFiles({ file, rerun }: TestFailure): readonly string[] {
  const folders = PACKAGE.exec(rerun ?? "")?.[1]?.split("/") ?? [];
  if (file === undefined || /[/\\]/.test(file)) return [];
  return folders.slice(1).map((_, index) => [...folders.slice(index + 1), file].join("/"));
}

/** Go runs the tests of whole packages, each of which is a folder. */
function goTestFolders(argv: readonly string[], paths: readonly string[]): readonly string[] {
  return [...argv.filter((word) => !word.endsWith("...")), ...foldersOf(paths).map((at) => `./${at}`)];
}

function foldersOf(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf("/")))))];
}

function otherFiles(paths: readonly string[], folder: FolderFacts): string | undefined {
  const chosen = new Set(paths);
  const others = foldersOf(paths)
    .flatMap((at) => folder.names(at === "" ? "." : at).map((name) => (at === "" ? name : `${at}/${name}`)))
    .filter((path) => path.endsWith("_test.go") && !chosen.has(path));
  const files = others.length === 1 ? "the other test file" : `the ${others.length} other test files`;
  return others.length === 0
    ? undefined
    : `${files} of the same packages, because go test runs whole packages`;
}

const USE = /^\s*(?:use\s+)?"?(\.{1,2}(?:\/[^\s"]*)?)"?\s*(?:\/\/.*)?$/gm;

/** The folders of the modules of a workspace below its go.work. */
function usedModules(folder: FolderFacts): string[] {
  const text = folder.read("go.work") ?? "";
  return Array.from(text.matchAll(USE), ([, path = ""]) => posix.join(path).replace(/\/$/, "")).filter(
    (path) => !path.startsWith(".."),
  );
}

function below(module: string): string {
  return module === "." ? "./..." : `./${module}/...`;
}
