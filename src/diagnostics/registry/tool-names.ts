import { buildTools } from "./build-tools.ts";
import type { BuildTool } from "../tool.ts";

const byId = new Map(buildTools.map((tool) => [tool.id, tool]));
/**
 * Tools by the names of their programs and aliases. Ids are looked up before these names, because several tools may
 * read the output of one program.
 */
const byName = new Map(
  buildTools
    .toReversed()
    .flatMap((tool) =>
      [...(tool.aliases ?? []), ...(tool.programs ?? [])].map((name) => [plain(name), tool]),
    ),
);

/** Returns the tool of this id, or else the one that reads the output of a program of this name (`clippy`, `vue-tsc`). */
export function toolNamed(name: string): BuildTool | undefined {
  return byId.get(name) ?? byName.get(name);
}

/** The package managers that run scripts of a package.json; the first one whose lock file exists is used. */
export const packageManagers: readonly (BuildTool & Required<Pick<BuildTool, "packageManager">>)[] =
  buildTools
    .flatMap((tool) =>
      tool.packageManager === undefined ? [] : [{ ...tool, packageManager: tool.packageManager }],
    )
    .sort((a, b) => b.packageManager.rank - a.packageManager.rank);

/** Returns the names of the programs that write a tool's output. */
export function programsOf(tool: string): readonly string[] {
  return byId.get(tool)?.programs ?? [tool];
}

/**
 * Finds the tool that a user means by a name: its id, a command of `build`, a program and its subcommand (`cargo-build`), or another name for it.
 */
export function findTool(name: string): BuildTool | undefined {
  const wanted = plain(name.trim().toLowerCase());
  for (let part = wanted; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf("-")))) {
    const found = toolNamed(part);
    if (found !== undefined) return found;
  }
  return buildTools.find((tool) => tool.commands?.some((command) => command.name === name));
}

function plain(name: string): string {
  return name.replaceAll(/[\s_.:]+/g, "-");
}
