import type { FolderFacts } from "../../diagnostics/tool.ts";
import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import type { ToolList } from "../../model/tool-list.ts";
import { findManifests } from "../../workspace/files/folder-files.ts";
import { nameMatcher } from "./folder-facts.ts";
import { folderTargets } from "./folder-targets.ts";
import { namedCommands } from "./plan.ts";

/** Monorepos keep their packages one or two levels down, sometimes grouped once or twice more. */
const DEPTH = 4;
const MAX_PACKAGES = 2_000;

/** Which named tools fit a folder and why; the others by name; and the packages below it. */
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

/** The part of a list that a cursor stands for; it is for this list, not for the folder as it may be later. */
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
