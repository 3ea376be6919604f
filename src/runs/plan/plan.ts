import { TEST_PROGRAMS } from "../../diagnostics/registry/test-programs.ts";
import type { BuildTool, FolderFacts, ToolCommand } from "../../diagnostics/tool.ts";
import { scriptShell } from "../../exec/shell.ts";
import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { readCommandLine } from "../../shell/command-line.ts";
import { quoteWord } from "../../shell/quote-word.ts";
import type { Word } from "../../shell/scanner.ts";

/** A command that is ready to start, and what is known about it. */
export interface CommandPlan {
  readonly argv: readonly [string, ...string[]];
  /** The command as a user would type it. */
  readonly display: string;
  /** The name of the build tool that the command belongs to. */
  readonly tool?: string;
  /**
   * The ids of the output parsers that are known to fit, because they belong to the build tool that the command runs.
   */
  readonly expected: readonly string[];
  /** True if the command is meant to run tests. If no test runs, exit code 0 is not a success then. */
  readonly isTest: boolean;
  /** Identifies the same command in later runs if its argument list differs from run to run. */
  readonly key?: string;
  /** The simple commands of the command line. */
  readonly commands: readonly (readonly Word[])[];
  /**
   * Adds options that make the tool write a machine-readable report to a file; undefined if they would change anything
   * else.
   */
  report?(
    file: string,
  ): { readonly argv: readonly string[]; readonly env?: Readonly<Record<string, string>> } | undefined;
}

export interface NamedCommand {
  readonly tool: BuildTool;
  readonly command: ToolCommand;
}

/** The commands that `build` knows by name. They are loaded at the first use, so that a server starts fast. */
export async function namedCommands(): Promise<readonly NamedCommand[]> {
  const { buildTools } = await import("../../diagnostics/registry/build-tools.ts");
  return buildTools.flatMap((tool) => (tool.commands ?? []).map((command) => ({ tool, command })));
}

/** The result if no build tool has the given name: the name, and the most similar known names. */
export interface UnknownTool {
  readonly unknown: string;
  readonly nearest: readonly string[];
}

/** Plans the `tool` argument of `build`: the name of a build tool's command, or a command line as a user types it. */
export async function planTool(
  name: string,
  args: readonly string[],
  folder: FolderFacts,
): Promise<CommandPlan | UnknownTool> {
  if (/\s/.test(name)) return planLine(name, args);
  const commands = await namedCommands();
  const named = commands.find(({ command }) => command.name === name);
  if (named !== undefined) return planNamed(named, args, folder);
  const meant = args.length === 0 ? meantBy(name, commands, folder) : [];
  if (meant.length > 0) return { unknown: name, nearest: meant };
  if (!looksLikeName(name)) return planLine(name, args);
  const names = commands.map(({ command }) => command.name);
  return { unknown: name, nearest: nearestNames(name, names, 3) };
}

/**
 * The named commands (such as `npm.test`) that a bare word like `test` or `lint` may mean in this folder. They are
 * suggested instead of running a program called `test`. A word that is a build tool's own program, such as `npm`,
 * always means that program.
 */
function meantBy(word: string, commands: readonly NamedCommand[], folder: FolderFacts): string[] {
  if (!/^[\w-]+$/.test(word) || commands.some(({ command }) => command.name.startsWith(`${word}.`)))
    return [];
  const fitting = commands.filter(
    ({ command }) => command.name.endsWith(`.${word}`) && command.detect(folder) !== undefined,
  );
  const script =
    folder.packageJson?.scripts[word] === undefined ? undefined : folder.packageJson.packageManager;
  const names = fitting.map(({ command }) => command.name);
  const known = script !== undefined && names.includes(`${script}.${word}`);
  return [...names, ...(script === undefined || known ? [] : [`${script} run ${word}`])].slice(0, 3);
}

/** Plans a command line. Its words are passed to the program directly; a shell is used only if the line needs one. */
export function planLine(text: string, args: readonly string[] = []): CommandPlan {
  const line = readCommandLine(text);
  const [words = []] = line.commands;
  const [first, ...rest] = words.map((word) => word.text);
  if (line.needsShell || first === undefined) return planShell(text, args);
  return {
    argv: [first, ...rest, ...args],
    display: displayOf(text, args),
    expected: [],
    isTest: runsTests([...words, ...args.map(plainWord)]),
    commands: [[...words, ...args.map(plainWord)]],
  };
}

/**
 * Plans a script for a shell. Further arguments are passed to the script as separate words and never become part of its
 * text.
 */
export function planShell(text: string, args: readonly string[] = []): CommandPlan {
  const line = readCommandLine(text);
  const shell = scriptShell();
  if (process.platform === "win32" && args.length > 0)
    throw new PithError("invalid_input", "args cannot be added to a shell's command line on Windows");
  const argv: [string, ...string[]] =
    process.platform === "win32"
      ? ["cmd.exe", "/d", "/s", "/c", `"${text}"`]
      : [
          shell,
          "-c",
          args.length === 0 ? text : `${text} "$@"`,
          ...(args.length === 0 ? [] : [shell, ...args]),
        ];
  return {
    argv,
    display: displayOf(text, args),
    expected: [],
    isTest: line.commands.some(runsTests),
    commands: line.commands,
  };
}

/** Plans a named command such as `npm.test`, with the caller's arguments after its own. */
export function planNamed(
  { tool, command }: NamedCommand,
  args: readonly string[],
  folder: FolderFacts,
): CommandPlan {
  const [program = command.name, ...own] = command.argv(folder);
  const argv: [string, ...string[]] = [program, ...own, ...passedOn(tool, [program, ...own], args)];
  const report = command.report?.bind(command);
  return {
    argv,
    display: displayOf(argv.map(quoteWord).join(" "), []),
    tool: command.name,
    expected: [tool.id],
    isTest:
      /(?:^|[.:-])(?:test|tests|run-tests)$/.test(command.name) ||
      tool.kinds.every((kind) => kind === "test"),
    commands: [argv.map(plainWord)],
    ...(report === undefined ? {} : { report: (file) => report(argv, file, folder) }),
  };
}

/** Inserts `--` before the caller's arguments if the package manager would otherwise take them as its own options. */
function passedOn(
  { packageManager }: BuildTool,
  argv: readonly string[],
  args: readonly string[],
): readonly string[] {
  const needsDashes = packageManager?.optionsAfterDashes?.includes(argv[1] ?? "") === true;
  return needsDashes && args.length > 0 && !args.includes("--") && !argv.includes("--")
    ? ["--", ...args]
    : args;
}

/**
 * Checks whether a text such as `npm.build` or `cargo.tset` is meant as the name of a build tool's command and not as a
 * program.
 */
function looksLikeName(text: string): boolean {
  return (
    /^[a-z0-9_-]+(?:[.:][a-z0-9_-]+)+$/i.test(text) &&
    !/\.(?:sh|py|js|mjs|cjs|ts|rb|pl|exe|bat|cmd|ps1)$/i.test(text)
  );
}

/** Programs that only run tests, and whose output Pith has no parser for. */
const OTHER_TEST_PROGRAMS: ReadonlySet<string> = new Set(
  "behat behave codecept cucumber nose2 nosetests trial uvu wtr".split(" "),
);
/** Programs that print existing text. Test results in their output do not mean that they have run tests. */
const PRINTERS: ReadonlySet<string> = new Set(
  "awk bat cat cut diff docker echo find gh git grep head jq kubectl less ls more printf rg sed sort tail type wc xxd zcat".split(
    " ",
  ),
);

/** Checks whether the words of a simple command show that it runs tests. */
function runsTests(words: readonly Word[]): boolean {
  const texts = words.map((word) => word.text);
  const program = (texts.find((text) => !/^\w+=/.test(text)) ?? "").split(/[\\/]/).pop() ?? "";
  if (PRINTERS.has(program) || program === "[" || program === "test") return false;
  return texts.some((text, i) => {
    const name = text.split(/[\\/]/).pop() ?? "";
    return (
      TEST_PROGRAMS.has(name) ||
      OTHER_TEST_PROGRAMS.has(name) ||
      (i > 0 && /^(?:--)?tests?$|^test:|:test$|^unittest$/.test(text))
    );
  });
}

function plainWord(text: string): Word {
  return { text, expands: false };
}

function displayOf(text: string, args: readonly string[]): string {
  return [text.trim(), ...args.map(quoteWord)].join(" ");
}
