import type { FolderFacts } from "../diagnostics/tool.ts";
import type { ToolList } from "../model/tool-list.ts";
import { findManifests, nameFits } from "../workspace/folder-files.ts";
import { folderTargets } from "./folder-targets.ts";
import { namedCommands } from "./plan.ts";

/** Files that make a folder a project of its own. */
const MANIFESTS: readonly string[] = [
  "package.json",
  "Cargo.toml",
  "go.mod",
  "pyproject.toml",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "*.csproj",
  "*.fsproj",
  "CMakeLists.txt",
  "composer.json",
  "Gemfile",
  "Package.swift",
  "project.json",
];
/** Monorepos keep their packages one or two levels down, sometimes grouped once or twice more. */
const DEPTH = 4;
const MAX_PACKAGES = 40;

/** Which named tools fit a folder and why; the others by name; and the packages below it. */
export async function listTools(folder: FolderFacts, path: string): Promise<ToolList> {
  const all = (await namedCommands()).map(({ command }) => ({ command, why: command.detect(folder) }));
  const packages = findManifests(path, (name) => MANIFESTS.some((pattern) => nameFits(name, pattern)), {
    depth: DEPTH,
    count: MAX_PACKAGES + 1,
  });
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
    targets: folderTargets(folder),
    packages: packages.slice(0, MAX_PACKAGES),
    morePackages: packages.length > MAX_PACKAGES,
  };
}
