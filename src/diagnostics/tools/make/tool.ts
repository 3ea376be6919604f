import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, Line, LineParser, Sink } from "../../tool.ts";

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
  announces: {
    enters: /^g?make(?:\[\d+\])?: Entering directory [`'](?<folder>.{1,1000})'$/,
    leaves: /^g?make(?:\[\d+\])?: Leaving directory /,
  },
});

function* makeTargets(text: string): Generator<string> {
  for (const [, names = ""] of text.matchAll(/^([A-Za-z0-9][\w./ \t-]{0,300}?)[ \t]*::?(?![:=])/gm))
    // Names with a slash or a dot are left out, because they are files that are made rather than commands.
    for (const name of names.split(/[ \t]+/)) if (/^[\w-]+$/.test(name)) yield name;
}

const OWN = /^(?:\S*[/\\])?(?:mingw32-|mingw64-|[bg])?make(?:\.exe)?(?:\[(\d{1,4})\])?: (.*)$/;
/** Matches a failed step of SCons, which PlatformIO runs. */
const SCONS = /^(?:scons: )?\*\*\* \[(.+)\] (Error \d{1,4}|.+: No such file or directory)$/;
const STOPPED = /^\*\*\* \[(.+)\] (.+)$/;
const IGNORED = /^\[(.+)\] (.+) \((?:ignored|ignoriert|ignoré|忽略|проигнорировано)\)$/;
const NOISE =
  /^(?:(?:Entering|Leaving) directory|Nothing to be done|`.*' is up to date|'.*' is up to date|Target .* not remade|\*\*\* Waiting for unfinished jobs|\*\*\* Deleting|warning: -j|warning: jobserver|Verzeichnis|on entre|on quitte|进入目录|离开目录)/i;
const BAD = /^\*\*\* (.+?)(?: {2}Stop\.| {2}Schluss\.| {2}Arrêt\.)?$/;
const PROGRAM = /^(.+: (?:Command not found|No such file or directory|Permission denied))$/;
const MAKEFILE = /^(\S.*:\d{1,7}): (\*\*\* |warning: )(.+?)(?: {2}Stop\.)?$/;

/** Reads make's own messages: failed recipes, targets without a rule, errors in the makefile. */
function makeParser(sink: Sink): LineParser {
  /** Depth of the make whose recipe failed last; the makes above it fail only as a consequence. */
  let depth: number | undefined;

  function own(level: number, text: string): boolean {
    if (NOISE.test(text)) return true;
    const stopped = STOPPED.exec(text);
    if (stopped !== null) {
      const consequence = depth !== undefined && level < depth && stopped[2]?.endsWith(" 2") === true;
      depth = level;
      if (!consequence) sink.diagnostic({ severity: "error", ...recipe(stopped[1] ?? "", stopped[2] ?? "") });
      return true;
    }
    const ignored = IGNORED.exec(text);
    if (ignored !== null) {
      sink.diagnostic({ severity: "warning", ...recipe(ignored[1] ?? "", `${ignored[2] ?? ""} (ignored)`) });
      return true;
    }
    const bad = BAD.exec(text) ?? PROGRAM.exec(text);
    if (bad !== null) sink.diagnostic({ severity: "error", message: bad[1] ?? "" });
    const warning = /^warning: {1,2}(.+)$/.exec(text);
    if (warning !== null) sink.diagnostic({ severity: "warning", message: warning[1] ?? "" });
    return bad !== null || warning !== null;
  }

  return {
    take({ text }: Line): boolean {
      const match = OWN.exec(text);
      if (match !== null) return own(Number(match[1] ?? 0), match[2] ?? "");
      const scons = SCONS.exec(text);
      if (scons !== null) {
        sink.diagnostic({ severity: "error", ...recipe(scons[1] ?? "", scons[2] ?? "") });
        return true;
      }
      const makefile = MAKEFILE.exec(text);
      const place = makefile === null ? undefined : colonPlace(makefile[1] ?? "");
      if (makefile === null || place === undefined || !isMakefile(place.file)) return false;
      sink.diagnostic({
        severity: makefile[2] === "*** " ? "error" : "warning",
        message: makefile[3] ?? "",
        ...place,
      });
      return true;
    },
    end(): void {
      depth = undefined;
    },
  };
}

/** Reads `Makefile:6: src/warn.o`, which names the rule's location and the target; older versions print only the target. */
function recipe(text: string, outcome: string): { message: string; file?: string; line?: number } {
  const match = /^(.+):(\d{1,7})[:：] ?(.+)$/.exec(text);
  if (match === null) return { message: `[${text}] ${outcome}` };
  return { message: `[${match[3] ?? ""}] ${outcome}`, file: match[1] ?? "", line: Number(match[2]) };
}

function isMakefile(file: string): boolean {
  return /(?:^|[/\\])(?:GNU)?[Mm]akefile[\w.-]*$|\.(?:mk|mak|make|am|in)$/.test(file);
}
