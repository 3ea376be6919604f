import type { FolderFacts, PackageFacts, ToolCommand } from "../tool.ts";

type Manager = PackageFacts["packageManager"];

/** The named commands of a package manager: install, build, test. */
export function managerCommands(manager: Manager): readonly ToolCommand[] {
  const mine = (folder: FolderFacts): boolean => folder.packageJson?.packageManager === manager;
  const script = (name: string, description: string, argv: readonly string[]): ToolCommand => ({
    name: `${manager}.${name}`,
    description,
    detect: (folder) =>
      mine(folder) && folder.packageJson?.scripts[name] !== undefined
        ? `package.json has a ${name} script`
        : undefined,
    argv: () => argv,
  });
  return [
    {
      name: `${manager}.install`,
      description: "Install the dependencies",
      detect: (folder) => (mine(folder) ? "package.json is here" : undefined),
      argv: () => [manager, "install"],
    },
    script("build", "Run the build script", [manager, "run", "build"]),
    script("test", "Run the test script", manager === "bun" ? ["bun", "run", "test"] : [manager, "test"]),
    script("lint", "Run the lint script", [manager, "run", "lint"]),
    {
      name: `${manager}.run`,
      description: "Run a script of package.json: its name comes first in the arguments",
      detect: (folder) =>
        mine(folder) && Object.keys(folder.packageJson?.scripts ?? {}).length > 0
          ? "package.json has scripts"
          : undefined,
      argv: () => [manager, "run"],
    },
  ];
}
