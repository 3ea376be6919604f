import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { CHECK_PROGRAMS, SCRIPT_RUNNERS } from "../../diagnostics/registry/check-programs.ts";
import { TEST_PROGRAMS } from "../../diagnostics/registry/test-programs.ts";
import type { BuildTool, PureCheck } from "../../diagnostics/tool.ts";
import { nearestText } from "../../workspace/files/folder-files.ts";
import { contains } from "../../kernel/files/opened-path.ts";
import { type PlainCommand, readPlainLine } from "./plain-line.ts";

/** A program that a line starts and that only checks. */
export interface StartedCheck {
  /** The id of the build tool. */
  readonly tool: string;
  /** The program as the line names it. */
  readonly program: string;
  readonly folder: string;
  /** True if a package manager starts it, which looks into node_modules before anything else. */
  readonly isPackaged: boolean;
}

/** A command line that does nothing but check files. */
export interface CheckLine {
  readonly checks: readonly StartedCheck[];
  /** The exit codes with which its tools end after they have checked everything. */
  readonly exitCodes: readonly number[];
}

interface Place {
  /** The top folder of the repository. */
  readonly top: string;
  readonly folder: string;
  readonly isPackaged: boolean;
}

export interface CheckSettings {
  readonly includesTests: boolean;
  toolOf(program: string): BuildTool | undefined;
}

/** The words that such a program may have before the name of a script. */
const SCRIPT_WORDS = /^(?:run|run-script|-s|--silent)$/;

/** The exit codes of most checkers: nothing found, or something found. */
const FINISHED = [0, 1];

/** Checks at little cost whether a line may be one that only checks. */
export function mayCheck(text: string, includesTests: boolean): boolean {
  return text
    .split(/[\s;|&'"]+/)
    .map((word) => basename(word))
    .some(
      (name) =>
        CHECK_PROGRAMS.has(name) || SCRIPT_RUNNERS.has(name) || (includesTests && TEST_PROGRAMS.has(name)),
    );
}

/** Reads a line; undefined unless all of it is certain to only check files of the repository. */
export function readCheckLine(
  text: string,
  { top, cwd }: { readonly top: string; readonly cwd: string },
  settings: CheckSettings,
): CheckLine | undefined {
  const checks = checksOf(text, { top, folder: cwd, isPackaged: false }, settings);
  if (checks === undefined || checks.length === 0) return undefined;
  const tools = checks.map(({ tool }) => settings.toolOf(tool)?.pureCheck ?? TESTS);
  // A failed test may pass when it runs again, so of a line with tests only success is an answer.
  const exitCodes = tools.includes(TESTS) ? [0] : tools.flatMap((tool) => tool.exitCodes ?? FINISHED);
  return { checks, exitCodes };
}

function checksOf(text: string, place: Place, settings: CheckSettings): StartedCheck[] | undefined {
  const commands = readPlainLine(text);
  if (commands === undefined) return undefined;
  const checks: StartedCheck[] = [];
  let { folder } = place;
  for (const command of commands) {
    const [program = "", ...words] = command.words;
    if (words.some((word) => leavesTree(word, { ...place, folder }))) return undefined;
    if (program === "cd" && command.join !== "pipe" && words.length === 1) {
      folder = resolve(folder, words[0] ?? "");
      continue;
    }
    if (program === "echo" || isDisplay(command)) continue;
    const found =
      command.join === "pipe" ? undefined : started(command.words, { ...place, folder }, settings);
    if (found === undefined) return undefined;
    checks.push(...found);
  }
  return checks;
}

/** Checks whether a word is a path, or an option with a path, that leads out of the repository. */
function leavesTree(word: string, { top, folder }: Place): boolean {
  const value = word.replace(/^-[^=]*=/, "");
  const path = resolve(folder, value);
  return !contains(top, path) && (existsSync(path) || /[*?[{]/.test(path) || value.startsWith(".."));
}

/** The options of programs that show a part of what they read. Other programs or options may write. */
const DISPLAYS: Readonly<Record<string, RegExp>> = {
  cat: /^$/,
  grep: /^-(?:[EFPivcnowxhsABCm]+\d*)$|^[^-]/,
  head: /^-(?:\d+|n\d*)$|^-?\d+$/,
  sort: /^-[rnukhV]+$/,
  tail: /^-(?:\d+|n\d*)$|^[-+]?\d+$/,
  uniq: /^-[cdiu]+$/,
  wc: /^-[lwcm]+$/,
};

function isDisplay({ words: [program = "", ...words], join: how }: PlainCommand): boolean {
  const allowed = DISPLAYS[program];
  return how === "pipe" && allowed !== undefined && words.every((word) => allowed.test(word));
}

/** Assignments before a program that change how it is found or what it loads. */
const DECISIVE_VARIABLE = /PATH|OPTIONS|OPTS|HOME|^(?:LD|DYLD|XDG|npm|NPM)_/;

function started(all: readonly string[], place: Place, settings: CheckSettings): StartedCheck[] | undefined {
  const begin = all.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  if (begin < 0 || all.slice(0, begin).some((word) => DECISIVE_VARIABLE.test(word.split("=")[0] ?? "")))
    return undefined;
  const [program = "", ...words] = all.slice(begin);
  if (program === "timeout" && /^\d+[smh]?$/.test(words[0] ?? ""))
    return started(words.slice(1), place, settings);
  if (program === "npx") {
    const rest = words.slice(words.findIndex((word) => !/^(?:--no|--no-install|-y|--yes)$/.test(word)));
    return started(rest, { ...place, isPackaged: true }, settings);
  }
  // Some package managers take the options after `exec` as their own.
  const manager = settings.toolOf(program)?.packageManager;
  if (manager !== undefined && manager.optionsAfterDashes === undefined && words[0] === "exec")
    return started(words.slice(1), { ...place, isPackaged: true }, settings);
  if (SCRIPT_RUNNERS.has(program)) return scriptChecks(words, place, settings);
  const name = basename(program);
  const tool = settings.toolOf(name);
  const check = tool?.pureCheck ?? (settings.includesTests && TEST_PROGRAMS.has(name) ? TESTS : undefined);
  if (tool === undefined || check === undefined || !isPure(check, words)) return undefined;
  const { folder, isPackaged } = place;
  return [{ tool: tool.pureCheck === undefined ? name : tool.id, program, folder, isPackaged }];
}

/**
 * The options of test runners that neither write nor watch. Whether a test writes is seen from the files, as for every
 * check.
 */
const TESTS: PureCheck = {
  options: /^(?!.*(?:watch|update|fix|ui|inspect|out|report|coverage|snapshot|retry|shard|w$|u$))-/,
  exitCodes: [0],
};

function isPure({ subcommands, requires, options }: PureCheck, words: readonly string[]): boolean {
  const [first = "", ...rest] = words;
  if (subcommands !== undefined && !subcommands.includes(first)) return false;
  const own = subcommands === undefined ? words : rest;
  if (requires?.test(own.join(" ")) === false) return false;
  // A word like `@arguments.txt` may stand for options that are not seen here.
  return own.every((word) => !/^[-@]/.test(word) || options.test(word.split("=")[0] ?? ""));
}

/** Reads a script of the package.json in the folder, which the package manager runs as a line of its own. */
function scriptChecks(
  words: readonly string[],
  place: Place,
  settings: CheckSettings,
): StartedCheck[] | undefined {
  const names = words.filter((word) => !SCRIPT_WORDS.test(word));
  const [name = ""] = names;
  // A script that starts a script is not followed, so that no cycle of scripts has to be found.
  if (place.isPackaged || names.length !== 1 || !words.some((word) => word.startsWith("run")))
    return undefined;
  const scripts = scriptsOf(place.folder);
  const line = scripts?.[name];
  if (scripts === undefined || typeof line !== "string") return undefined;
  if (`pre${name}` in scripts || `post${name}` in scripts) return undefined;
  return checksOf(line, { ...place, isPackaged: true }, settings);
}

function scriptsOf(folder: string): Readonly<Record<string, unknown>> | undefined {
  if (!existsSync(join(folder, "package.json"))) return undefined;
  try {
    const parsed: unknown = JSON.parse(nearestText(folder, folder, "package.json") ?? "");
    const scripts: unknown =
      typeof parsed === "object" && parsed !== null && "scripts" in parsed ? parsed.scripts : undefined;
    return typeof scripts === "object" && scripts !== null ? { ...scripts } : undefined;
  } catch {
    // The package manager reports the broken file when it runs.
    return undefined;
  }
}
