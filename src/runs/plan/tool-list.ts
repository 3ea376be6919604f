import type { FolderFacts } from "../../diagnostics/tool.ts";
import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import type { ToolList } from "../../model/tool-list.ts";
import { findManifests } from "../../workspace/files/folder-files.ts";
import { nameMatcher } from "./folder-facts.ts";
import { folderTargets } from "./folder-targets.ts";
import { listOwnTools, type OwnToolSources } from "./own-tools.ts";
import { namedCommands } from "./plan.ts";

/**
 * How many levels of folders are searched for packages: monorepos keep them one or two levels down, sometimes grouped
 * further.
 */
const DEPTH = 4;
const MAX_PACKAGES = 2_000;

/**
 * Lists the build tools that fit a folder with the reason, the names of the others, and the packages below the folder.
 */
export async function listTools(folder: FolderFacts, sources: OwnToolSources): Promise<ToolList> {
  const { buildTools } = await import("../../diagnostics/registry/build-tools.ts");
  const manifests = buildTools.flatMap((tool) => tool.manifests ?? []);
  const all = (await namedCommands()).map(({ command }) => ({ command, why: command.detect(folder) }));
  const matchers = manifests.map(nameMatcher);
  const isManifest = (name: string): boolean => matchers.some((matches) => matches(name));
  const own = await listOwnTools(folder, sources);
  const limits = { depth: DEPTH, count: MAX_PACKAGES };
  const { found: packages, isComplete } = findManifests(sources.cwd, isManifest, limits);
  return {
    detected: own.detected.concat(
      all.flatMap(({ command, why }) =>
        why === undefined
          ? []
          : [
              {
                name: command.name,
                description: command.description,
                why,
                command: command.argv(folder).join(" "),
              },
            ],
      ),
    ),
    others: own.others.concat(all.filter(({ why }) => why === undefined).map(({ command }) => command.name)),
    tasks: own.tasks,
    problems: own.problems,
    scripts: Object.keys(folder.packageJson?.scripts ?? {}),
    targets: folderTargets(folder, buildTools),
    packages,
    morePackages: !isComplete,
  };
}

/** Returns the position in the list of tools that a cursor refers to; the cursor is valid only for the same list. */
export function toolListPage(
  list: ToolList,
  path: string,
  cursor: string | undefined,
): { readonly list: ToolList; readonly offset: number; readonly cursorAfter: (shown: number) => string } {
  const question = [path, list];
  return {
    list,
    offset: decodeCursor(question, cursor),
    cursorAfter: (shown) => encodeCursor(question, shown),
  };
}
