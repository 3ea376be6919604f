import type { BuildTool, Ecosystem, FolderFacts } from "../../diagnostics/tool.ts";
import { readCommandLine } from "../../shell/command-line.ts";
import { quoteWord } from "../../shell/quote-word.ts";
import type { Word } from "../../shell/scanner.ts";
import { type CommandPlan, type NamedCommand, namedCommands, planLine, planNamed } from "./plan.ts";
import { isScript, runsTests, testSelection } from "./test-plan.ts";
import { planScriptFiles, runnerIn } from "./test-script.ts";

/** The files that make a folder a package of its own, by the ecosystem of its tests. */
const PACKAGE_FILES: Readonly<Partial<Record<Ecosystem, RegExp>>> = {
  js: /^(?:package\.json|deno\.jsonc?)$/,
  python: /^(?:pyproject\.toml|setup\.py|setup\.cfg|pytest\.ini|tox\.ini|manage\.py)$/,
  go: /^go\.mod$/,
  rust: /^Cargo\.toml$/,
  java: /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/,
  ruby: /^(?:Gemfile|Rakefile|\.rspec|.*\.gemspec)$/,
  php: /^(?:composer\.json|phpunit(?:\.dist)?\.xml(?:\.dist)?)$/,
  dotnet: /^.*\.(?:cs|fs|vb)proj$/,
  swift: /^Package\.swift$/,
  "c-cpp": /^(?:CMakeLists\.txt|meson\.build)$/,
};
const ECOSYSTEM_OF_ENDING: readonly (readonly [RegExp, Ecosystem])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte)$/, "js"],
  [/\.py$/, "python"],
  [/\.go$/, "go"],
  [/\.rs$/, "rust"],
  [/\.(?:java|kts?|groovy|scala)$/, "java"],
  [/\.rb$/, "ruby"],
  [/\.(?:php|phpt)$/, "php"],
  [/\.(?:cs|fs|vb)$/, "dotnet"],
  [/\.swift$/, "swift"],
  [/\.(?:c|cc|cpp|cxx)$/, "c-cpp"],
];

/** The ecosystem whose runners run a test file. */
export function ecosystemOf(path: string): Ecosystem {
  return ECOSYSTEM_OF_ENDING.find(([ending]) => ending.test(path))?.[1] ?? "general";
}

/** Whether a file makes its folder a package whose tests are run on their own. */
export function isPackageFile(name: string, ecosystem: Ecosystem): boolean {
  return PACKAGE_FILES[ecosystem]?.test(name) ?? false;
}

/** Whether the tests of a package below a folder are run from that folder. `part` is relative to it. */
export async function isRunFrom(folder: FolderFacts, part: string, ecosystem: Ecosystem): Promise<boolean> {
  const { buildTools } = await import("../../diagnostics/registry/build-tools.ts");
  return buildTools.some(
    (tool) => tool.ecosystem === ecosystem && tool.selectTests?.isRootOf?.(folder, part) === true,
  );
}

/** Test files of one folder, with their paths relative to it. */
export interface FileSelection {
  readonly paths: readonly string[];
  /** Further arguments for the test runner. */
  readonly args: readonly string[];
  readonly ecosystem: Ecosystem;
}

/** How to run some test files of a folder, and the command that runs all tests of it. */
export interface SelectedTestsPlan {
  /** Absent if the runner knows none of the files. */
  readonly plan?: CommandPlan;
  readonly all: string;
  /** Set if the runner does not know some files because they are not compiled. */
  readonly unknown?: UnknownTests;
  /** What runs besides the files, if the runner takes no single files. */
  readonly besides?: string;
  /** Why all tests run: the test script cannot be told to run only these files, and its other commands must not be skipped. */
  readonly whyAll?: string;
}

/** Test files that are part of no test in the build folder, and the command that configures it. */
export interface UnknownTests {
  readonly paths: readonly string[];
  readonly configure: string;
}

/**
 * Plans how to run some test files, whose paths are relative to the folder, with the runner of the project. Undefined if
 * no runner is found or none that takes files.
 */
export async function planTestFiles(
  selection: FileSelection,
  folder: FolderFacts,
): Promise<SelectedTestsPlan | undefined> {
  const { paths, args, ecosystem } = selection;
  const fitting = (await namedCommands()).filter(({ command }) => command.detect(folder) !== undefined);
  const script = ecosystem === "js" ? fitting.find(isScript) : undefined;
  const runners = fitting.filter(
    (one) => runsTests(one) && !isScript(one) && one.tool.ecosystem === ecosystem,
  );
  const all = allTests(script ?? runners[0], folder);
  if (script !== undefined) {
    const hasRunner = [await testSelection(folder), ...runners.map(({ tool }) => tool.selectTests)].some(
      (selects) => selects?.files !== undefined,
    );
    return hasRunner ? { ...(await planByScript(script, selection, folder)), all } : undefined;
  }
  for (const runner of runners) {
    const compiled = planCompiled(runner, selection, folder);
    if (compiled !== undefined) return compiled;
    const argv = runner.tool.selectTests?.files?.(runner.command.argv(folder), paths, folder);
    if (argv !== undefined)
      return {
        plan: { ...withArgv(runner, [...argv, ...args], folder), isTest: true },
        ...besidesOf(runner.tool, paths, folder),
        all,
      };
  }
  return undefined;
}

/** Plans the test script with these files; the whole script if it cannot be told which files to run. */
async function planByScript(
  script: NamedCommand,
  { paths, args }: FileSelection,
  folder: FolderFacts,
): Promise<Pick<SelectedTestsPlan, "plan" | "besides" | "whyAll">> {
  const found = await planScriptFiles(script, { paths, args }, folder);
  if ("plan" in found) return { plan: found.plan, ...besidesOf(found.runner, paths, folder) };
  const { whyNot } = found;
  const plan = { ...planNamed(script, args, folder), isTest: true };
  return { plan, besides: `all other tests, because ${whyNot}`, whyAll: whyNot };
}

function besidesOf(
  tool: BuildTool,
  paths: readonly string[],
  folder: FolderFacts,
): Pick<SelectedTestsPlan, "besides"> {
  const besides = tool.selectTests?.runsBesides?.(paths, folder);
  return besides === undefined ? {} : { besides };
}

/** Plans how to compile some test files and run their tests; undefined for a runner that compiles nothing. */
function planCompiled(
  runner: NamedCommand,
  { paths, args }: FileSelection,
  folder: FolderFacts,
): SelectedTestsPlan | undefined {
  const { files, compiled } = runner.tool.selectTests ?? {};
  if (files === undefined || compiled === undefined) return undefined;
  const known = compiled.known(paths, folder);
  const build = compiled.build?.(folder);
  const afterBuild = (argv: readonly string[]): string =>
    [...(build === undefined ? [] : [build]), argv]
      .map((words) => words.map(quoteWord).join(" "))
      .join(" && ");
  const argv = runner.command.argv(folder);
  const unknown = paths.filter((path) => !known.includes(path));
  const line = afterBuild([...files(argv, known, folder), ...args]);
  return {
    ...(known.length > 0 && {
      plan: { ...planLine(line), expected: [runner.tool.id], isTest: true },
      ...besidesOf(runner.tool, known, folder),
    }),
    all: afterBuild(argv),
    ...(unknown.length > 0 && {
      unknown: { paths: unknown, configure: compiled.configure(folder).map(quoteWord).join(" ") },
    }),
  };
}

/** The command that runs all tests of a folder; empty if none is known. */
export async function commandForAllTests(folder: FolderFacts): Promise<string> {
  const fitting = (await namedCommands()).filter(({ command }) => command.detect(folder) !== undefined);
  return allTests(fitting.find(isScript) ?? fitting.find(runsTests), folder);
}

function allTests(command: NamedCommand | undefined, folder: FolderFacts): string {
  return command === undefined ? "" : command.command.argv(folder).map(quoteWord).join(" ");
}

function withArgv(
  { tool, command }: NamedCommand,
  argv: readonly string[],
  folder: FolderFacts,
): CommandPlan {
  return planNamed({ tool, command: { ...command, argv: () => argv } }, [], folder);
}

/** The words after the runner in the command that runs all tests of a folder; undefined if there is no such runner. */
export async function runnerWords(folder: FolderFacts): Promise<readonly Word[] | undefined> {
  const fitting = (await namedCommands()).filter(({ command }) => command.detect(folder) !== undefined);
  const script = fitting.find(isScript);
  const chosen = script ?? fitting.find(runsTests);
  if (chosen === undefined) return undefined;
  const words =
    script === undefined
      ? chosen.command.argv(folder).map((text) => ({ text, expands: false }))
      : (readCommandLine(folder.packageJson?.scripts["test"] ?? "").commands.at(-1) ?? []);
  const texts = words.map(({ text }) => text);
  const at = texts[0]?.startsWith("python") === true ? texts.indexOf("-m") + 1 : (await runnerIn(texts))?.at;
  return at === undefined ? undefined : words.slice(at + 1);
}
