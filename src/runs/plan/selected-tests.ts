import type { BuildTool, Ecosystem, FolderFacts } from "../../diagnostics/tool.ts";
import { readCommandLine } from "../../shell/command-line.ts";
import { quoteWord } from "../../shell/quote-word.ts";
import type { Word } from "../../shell/scanner.ts";
import { type CommandPlan, type NamedCommand, namedCommands, planLine, planNamed } from "./plan.ts";
import { isScript, runsTests } from "./test-plan.ts";

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
  /** True if the test script of the folder could not be told to run only these files, so that its runner is called directly. */
  readonly bypassesScript: boolean;
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
  const byScript = script === undefined ? undefined : await planScript(script, selection, folder);
  const all = allTests(script ?? runners[0], folder);
  if (byScript !== undefined) return { ...byScript, all, bypassesScript: false };
  for (const runner of runners) {
    const compiled = planCompiled(runner, selection, folder);
    if (compiled !== undefined) return compiled;
    const argv = runner.tool.selectTests?.files?.(runner.command.argv(folder), paths, folder);
    if (argv !== undefined)
      return {
        plan: { ...withArgv(runner, [...argv, ...args], folder), isTest: true },
        ...besidesOf(runner.tool, paths, folder),
        all,
        bypassesScript: script !== undefined,
      };
  }
  return undefined;
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
    bypassesScript: false,
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

/** Options of JavaScript runners that take the next word as their value. */
const VALUE_OPTIONS =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--config|-c|--file|--ui|-u|--reporter|-R|--project|--rootDir|--root|--dir|--env|--environment|--env-file|--package|--timeout|-t|-g|--grep|--ignore|--exclude|--tsconfig|--globalSetup|-n|--node-option|--jobs|-j|--maxWorkers|-w|--mode|--pool|--test-reporter|--test-reporter-destination|--test-concurrency|--test-timeout)$/;
/** Characters by which a script is more than one plain command. */
const OPERATOR = /[|&;<>()`$\n]/;
/** Programs that start the program after them. */
const STARTERS = /^(?:npx|pnpm|yarn|exec|dlx|cross-env|env|c8|nyc|dotenv|--no-install|--|\w+=\S*)$/;

/**
 * Plans the test script of a package.json with these files in place of its own. Undefined if its runner is not known or
 * takes no files; a runner of a chain (`tsc && mocha`) must be the last command, to which the package manager adds words.
 */
async function planScript(
  script: NamedCommand,
  { paths, args }: FileSelection,
  folder: FolderFacts,
): Promise<Pick<SelectedTestsPlan, "plan" | "besides"> | undefined> {
  const text = folder.packageJson?.scripts["test"] ?? "";
  const { commands } = readCommandLine(text);
  const last = commands.at(-1) ?? [];
  const runner = await runnerIn(last.map((word) => word.text));
  const select = runner?.tool.selectTests?.files;
  if (runner === undefined || select === undefined) return undefined;
  const kept = withoutPaths(last, runner.at);
  const own = last.length - kept.length;
  const expected = [runner.tool.id];
  const besides = besidesOf(runner.tool, paths, folder);
  const isSimple = commands.length === 1 && !OPERATOR.test(text) && !kept.some((word) => word.expands);
  if (isSimple) {
    const words = select(
      kept.map((word) => word.text),
      paths,
      folder,
    );
    const line = [...words, ...args].map(quoteWord).join(" ");
    return { plan: { ...planLine(line), expected, isTest: true }, ...besides };
  }
  // The package manager can only add words: files of the script itself would run too.
  if (own > 0 || /[|;]|\|\|/.test(text)) return undefined;
  const plan = planNamed(script, [...select([], paths, folder), ...args], folder);
  return { plan: { ...plan, expected, isTest: true }, ...besides };
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

/** The runner that a command starts, and where its name stands. */
async function runnerIn(words: readonly string[]): Promise<{ tool: BuildTool; at: number } | undefined> {
  const { buildTools } = await import("../../diagnostics/registry/build-tools.ts");
  const at = words.findIndex((word) => !STARTERS.test(word));
  const program = (words[at] ?? "").split(/[\\/]/).at(-1) ?? "";
  const isNodeTest = program === "node" && words.includes("--test");
  const tool = buildTools.find(
    ({ id, programs = [id], selectTests }) =>
      selectTests?.files !== undefined &&
      (isNodeTest ? id === "node-test" : program !== "node" && programs.includes(program)),
  );
  return tool === undefined ? undefined : { tool, at };
}

/** The words of a runner's command without the paths and patterns of test files. */
function withoutPaths(words: readonly Word[], runner: number): Word[] {
  return words.filter(({ text: word }, at) => {
    if (at <= runner || word.startsWith("-") || VALUE_OPTIONS.test(words[at - 1]?.text ?? "")) return true;
    return !/[/*]|\.[cm]?[jt]sx?$|^(?:tests?|specs?|src|lib|\.)$/.test(word);
  });
}
