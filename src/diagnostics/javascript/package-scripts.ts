import type { Announcements, FolderFacts, Found, ToolCommand } from "../tool.ts";

/** How npm and pnpm announce a script: `> shop@1.0.0 test`, in some versions followed by the folder. */
export const SCRIPT_ANNOUNCEMENTS: Announcements = {
  script: /^> @?[\w./-]{1,200}@\d[\w.+-]{0,60} [\w:.-]{1,80}(?: \S.*)?$/,
  package:
    /^> (?<package>@?[\w./-]{1,200})@\d[\w.+-]{0,60} [\w:.-]{1,80}(?: (?<folder>(?:\/|[A-Za-z]:[\\/])\S.*))?$/,
};

/** Creates the named commands of a package manager: install, build, test. */
export function managerCommands(
  manager: string,
  testWords: readonly string[] = ["test"],
): readonly ToolCommand[] {
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
    script("test", "Run the test script", [manager, ...testWords]),
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

const NOT_FOUND = /^(?:\S*\/)?(?:ba|da|z|k)?sh: (?:(?:line )?\d+: )?(\S.{0,500}): (?:command )?not found$/;
const NOT_RECOGNIZED = /^'(.{1,500})' is not recognized as an internal or external command,?$/;

/** Reads a shell's message that a command in a package script does not exist. */
export function unknownCommand(text: string): Found | undefined {
  const name =
    text.length < 1_000 ? (NOT_FOUND.exec(text)?.[1] ?? NOT_RECOGNIZED.exec(text)?.[1]) : undefined;
  return name === undefined
    ? undefined
    : { tool: "shell", severity: "error", message: `${name}: command not found` };
}
