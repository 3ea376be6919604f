import { isKnownInterpreter } from "./interpreters.ts";
import { programName } from "./place.ts";
import { DATA_PROGRAMS, isTool, LAUNCHERS, RUNNERS, SHELLS, WRAPPERS } from "./programs.ts";

/** The version, or the variant of a package, at the end of a program's name: `gcc-12`, `tclsh8.6`, `vim.basic`. */
const VERSION = /(?:-?\d+(?:\.\d+)*|\.(?:basic|tiny|nox|gtk3?|athena))$/;
/** The platform before the name of a compiler. */
const PLATFORM = /^(?:x86_64|i686|aarch64|arm)[\w-]*-(?:gnu|musl|linux|gnueabihf)-/;
/** Other names of compilers. */
const SYNONYMS: Readonly<Record<string, string>> = { c89: "cc", c99: "cc", cpp: "cc" };
/** Programs that contain many others, each of which they run under its own name. */
const MULTI_CALL: ReadonlySet<string> = new Set(["busybox", "coreutils", "toybox"]);

/** The name by which a program is known, out of its own name and those of the files that it links to. */
export function knownName(program: string, links: readonly string[]): string {
  const own = programName(program);
  for (const name of [own, ...links]) {
    const plain = name.replace(PLATFORM, "").replace(/^\W+/, "");
    for (const one of [name, plain, plain.replace(VERSION, "")].map((it) => SYNONYMS[it] ?? it))
      if (isKnown(one)) return one;
  }
  return own;
}

/** The program behind a link of another name that runs what it gets as arguments; undefined if there is none. */
export function hiddenByLink(program: string, links: readonly string[]): string | undefined {
  if (runsOthers(programName(program))) return undefined;
  return links.find((name) => runsOthers(name) && (program.includes("/") || !MULTI_CALL.has(name)));
}

function runsOthers(name: string): boolean {
  return (
    SHELLS.has(name) ||
    LAUNCHERS.has(name) ||
    WRAPPERS[name] !== undefined ||
    RUNNERS[name] !== undefined ||
    /^(?:env|find|xargs|git)$/.test(name)
  );
}

function isKnown(name: string): boolean {
  return (
    runsOthers(name) ||
    DATA_PROGRAMS.has(name) ||
    isTool(name) ||
    isKnownInterpreter(name) ||
    /^(?:\.|source|cd|pushd|popd|export|set|unset|read|readonly|g?sed|[gmn]?awk|original-awk)$/.test(name)
  );
}
