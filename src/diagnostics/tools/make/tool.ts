import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { makeParser } from "./parse.ts";

const NAMES = ["GNUmakefile", "makefile", "Makefile"];

const makefileOf = (folder: FolderFacts): string | undefined => NAMES.find((name) => folder.has(name));

/** Returns whether the makefile has a rule for the target. */
function hasTarget(folder: FolderFacts, target: string): boolean {
  const text = folder.nearest(makefileOf(folder) ?? "") ?? "";
  return text.split("\n").some((line) => line.startsWith(`${target}:`) || line.startsWith(`${target} :`));
}

const target = (
  name: string,
  description: string,
): NonNullable<Parameters<typeof defineBuildTool>[0]["commands"]>[number] => ({
  name: `make.${name}`,
  description,
  detect: (folder) => {
    const file = makefileOf(folder);
    return file !== undefined && hasTarget(folder, name) ? `${file} has a ${name} target` : undefined;
  },
  argv: () => ["make", name],
});

export const make = defineBuildTool({
  id: "make",
  title: "make",
  url: "https://www.gnu.org/software/make/",
  ecosystem: "c-cpp",
  kinds: ["build", "run"],
  programs: ["make", "gmake"],
  signatures: ["make: ", "make[", "make.exe", ": *** ", "*** [", "akefile:"],
  priority: 5,
  parser: makeParser,
  commands: [
    {
      name: "make",
      description: "Make the default target",
      detect: (folder) => {
        const file = makefileOf(folder);
        return file === undefined ? undefined : `${file} is here`;
      },
      argv: () => ["make"],
    },
    target("all", "Make everything"),
    target("build", "Build with make"),
    target("test", "Run the tests with make"),
    target("check", "Run the checks with make"),
    target("lint", "Lint with make"),
  ],
  targets: { command: "make", files: NAMES, above: false, names: makeTargets },
});

function* makeTargets(text: string): Generator<string> {
  for (const [, names = ""] of text.matchAll(/^([A-Za-z0-9][\w./ \t-]{0,300}?)[ \t]*::?(?![:=])/gm))
    // A path is a file that is made, not a command.
    for (const name of names.split(/[ \t]+/)) if (/^[\w-]+$/.test(name)) yield name;
}
