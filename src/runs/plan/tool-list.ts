import type { FolderFacts } from "../../diagnostics/tool.ts";
import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import type { ToolList } from "../../model/tool-list.ts";
import { findManifests } from "../../workspace/files/folder-files.ts";
import { nameMatcher } from "./folder-facts.ts";
import { folderTargets } from "./folder-targets.ts";
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
export async function listTools(folder: FolderFacts, path: string): Promise<ToolList> {
  const { buildTools } = await import("../../diagnostics/registry/build-tools.ts");
  const manifests = buildTools.flatMap((tool) => tool.manifests ?? []);
  const all = (await namedCommands()).map(({ command }) => ({ command, why: command.detect(folder) }));
  const matchers = manifests.map(nameMatcher);
  const isManifest = (name: string): boolean => matchers.some((matches) => matches(name));
  const limits = { depth: DEPTH, count: MAX_PACKAGES };
  const { found: packages, isComplete } = findManifests(path, isManifest, limits);
  return {
    detected: all.flatMap(({ command, why }) =>
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
    others: all.filter(({ why }) => why === undefined).map(({ command }) => command.name),
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
