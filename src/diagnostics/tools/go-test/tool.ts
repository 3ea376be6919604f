import type { TestFailure } from "../../../model/test-summary.ts";
import { defineBuildTool } from "../../tool.ts";
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
      detect: (folder) => (folder.nearest("go.mod") === undefined ? undefined : "go.mod is here"),
      argv: () => ["go", "test", "./..."],
    },
  ],
  selectTests: { filter: (text) => ["-run", text], package: (name) => [name], files: goTestFolders },
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
  const folders = new Set(paths.map((path) => `./${path.slice(0, Math.max(0, path.lastIndexOf("/")))}`));
  return [...argv.filter((word) => word !== "./..."), ...folders];
}
