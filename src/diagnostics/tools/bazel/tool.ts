import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { BazelParser } from "./parse.ts";

function fits(folder: FolderFacts): string | undefined {
  const root = ["MODULE.bazel", "WORKSPACE", "WORKSPACE.bazel"].find(
    (name) => folder.nearest(name) !== undefined,
  );
  return root === undefined ? undefined : `${root} is here`;
}

export const bazel = defineBuildTool({
  id: "bazel",
  title: "Bazel",
  url: "https://bazel.build",
  ecosystem: "c-cpp",
  kinds: ["build", "test"],
  signatures: [
    "INFO: Analyzed",
    "INFO: Elapsed time",
    "BUILD:",
    "BUILD.bazel:",
    ".bzl:",
    "Build did NOT",
    "INFO: Found ",
    "Executed ",
    "no such target",
    "no such package",
    "FAIL: //",
    "TIMEOUT: //",
    "Try 'bazel help'",
    "only supported from within a workspace",
  ],
  priority: 6,
  parser: (sink) => new BazelParser(sink),
  commands: [
    {
      name: "bazel.build",
      description: "Build all targets",
      detect: fits,
      argv: () => ["bazel", "build", "//..."],
    },
    {
      name: "bazel.test",
      description: "Run all tests",
      detect: fits,
      argv: () => ["bazel", "test", "//..."],
    },
  ],
  rerun: "bazel test",
});
