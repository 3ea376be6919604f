import { buildTools } from "./build-tools.ts";
import type { BuildTool } from "../tool.ts";

/** Other program names, mapped to the tool whose parser reads their output. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  clang: "gcc",
  "clang++": "gcc",
  "g++": "gcc",
  cc: "gcc",
  rustc: "cargo",
  clippy: "cargo",
  msbuild: "dotnet",
  csc: "dotnet",
  mvn: "maven",
  surefire: "maven",
  "vue-tsc": "tsc",
  typescript: "tsc",
  basedpyright: "pyright",
  xcodebuild: "swift",
  tofu: "terraform",
  opentofu: "terraform",
  nodejs: "node",
  "py-test": "pytest",
  golang: "go",
  cl: "msvc",
  gmake: "make",
  buildkit: "docker",
};

/** Finds the tool that a user means: by its id, a command of `build`, a program with its subcommand (`cargo-build`), or another program name. */
export function findTool(name: string): BuildTool | undefined {
  const wanted = name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_.:]+/g, "-");
  const byCommand = buildTools.find((tool) => tool.commands?.some((command) => command.name === name));
  for (let part = wanted; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf("-")))) {
    const id = OTHER_NAMES[part] ?? part;
    const found = buildTools.find((tool) => tool.id === id);
    if (found !== undefined) return found;
  }
  return byCommand;
}
