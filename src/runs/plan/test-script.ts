import type { BuildTool, FolderFacts } from "../../diagnostics/tool.ts";
import { PithError } from "../../kernel/errors.ts";
import { readCommandLine } from "../../shell/command-line.ts";
import { quoteWord } from "../../shell/quote-word.ts";
import type { Word } from "../../shell/scanner.ts";
import { type CommandPlan, type NamedCommand, planLine, planNamed } from "./plan.ts";

/** Options of JavaScript runners that take the next word as their value. */
const VALUE_OPTIONS =
  /^(?:-r|--require|--import|--loader|--experimental-loader|--config|-c|--file|--ui|-u|--reporter|-R|--project|--rootDir|--root|--dir|--env|--environment|--env-file|--package|--timeout|-t|-g|--grep|--ignore|--exclude|--tsconfig|--globalSetup|-n|--node-option|--jobs|-j|--maxWorkers|-w|--mode|--pool|--test-reporter|--test-reporter-destination|--test-concurrency|--test-timeout)$/;
/** Characters by which a text is more than one plain command. */
const OPERATOR = /[|&;<>()`$\n]/;
/** What may follow the words of a command, so that words added at its end are not its own. */
const CANNOT_BE_EXTENDED = /[|&;()`\n]|(?:^|\s)#/;
/** Operators other than `&&`, behind which a command may run although an earlier one failed. */
const OTHER_OPERATOR = /[|;\n]|(?<!&)&(?!&)/;
/** Commands after which the paths of files mean others. */
const LEAVES_FOLDER = /(?:^|[\s&(])(?:cd|pushd|popd)\s/;
/** Programs that start the program after them. */
const STARTERS = /^(?:npx|pnpm|yarn|exec|dlx|cross-env|env|c8|nyc|dotenv|--no-install|--|\w+=\S*)$/;

/** Why the tests of a script cannot be chosen; it completes a sentence. */
interface Refusal {
  readonly whyNot: string;
}

const NO_RUNNER_AT_END: Refusal = { whyNot: "the test script does not end with its runner" };
const NOT_REPLACEABLE: Refusal = { whyNot: "the files in the test script cannot be replaced with certainty" };

const SEVERAL_RUNNERS: Refusal = { whyNot: "an earlier command of the test script runs tests too" };

/** A test script whose last command is a test runner that takes more words at its end. */
interface TestScript {
  /** The commands before the last one, with the `&&` after them; empty if there are none. */
  readonly before: string;
  /** The last command as it is written, and its words. */
  readonly text: string;
  readonly words: readonly Word[];
  readonly runner: BuildTool;
  /** Where the runner's name stands among the words. */
  readonly at: number;
}

/** Plans the test script of a package.json with these files in place of its own. */
export async function planScriptFiles(
  script: NamedCommand,
  { paths, args }: { readonly paths: readonly string[]; readonly args: readonly string[] },
  folder: FolderFacts,
): Promise<{ readonly plan: CommandPlan; readonly runner: BuildTool } | Refusal> {
  const read = await readTestScript(folder);
  const select = read?.runner.selectTests?.files;
  if (read === undefined || select === undefined) return NO_RUNNER_AT_END;
  const { runner, before } = read;
  if (await runsTestsIn(before)) return SEVERAL_RUNNERS;
  if (LEAVES_FOLDER.test(before)) return NOT_REPLACEABLE;
  const kept = withoutPaths(read.words, read.at);
  const own = kept.map((word) => word.text);
  const words = [...select(own, paths, folder), ...args];
  const isPlain = !OPERATOR.test(withoutQuoted(read.text)) && !kept.some((word) => word.expands);
  const line = words.map(quoteWord).join(" ");
  if (isPlain && before === "" && hooksOf(folder).length === 0)
    return { plan: forTests(planLine(line), runner), runner };
  // The package manager can only add words: files of the script itself would run too.
  const canAdd = kept.length === read.words.length && own.every((word, at) => word === words[at]);
  if (canAdd) {
    const plan = planNamed(script, words.slice(own.length), folder);
    return { plan: forTests(plan, runner), runner };
  }
  const whole = isPlain ? wholeLine(script, `${before} ${line}`.trim(), folder) : NOT_REPLACEABLE;
  return "whyNot" in whole ? whole : { plan: forTests(planLine(whole.line), runner), runner };
}

/** Plans the test script with further options of its runner. */
export async function planScriptOptions(
  script: NamedCommand,
  options: readonly string[],
  folder: FolderFacts,
): Promise<{ readonly plan: CommandPlan } | Refusal> {
  const read = await readTestScript(folder);
  if (read === undefined) return NO_RUNNER_AT_END;
  const { runner, words, at, text, before } = read;
  if (await runsTestsIn(before)) return SEVERAL_RUNNERS;
  const hasPaths = words.some((_, index) => index > at && isArgument(words, index));
  if (runner.selectTests?.takesOptionsFirst !== true || !hasPaths)
    return { plan: forTests(planNamed(script, options, folder), runner) };
  // The runner's name must be written plainly to be found in the text.
  const head = new RegExp(String.raw`^\s*(?:\S+\s+){${at}}\S+`).exec(text)?.[0] ?? "";
  const isPlain =
    head.trim().split(/\s+/).join("\n") ===
    words
      .slice(0, at + 1)
      .map((word) => word.text)
      .join("\n");
  if (!isPlain) return NOT_REPLACEABLE;
  const line = [head, ...options.map(quoteWord)].join(" ") + text.slice(head.length);
  const whole = wholeLine(script, `${before}${line}`.trim(), folder);
  return "whyNot" in whole ? whole : { plan: forTests(planLine(whole.line), runner) };
}

/** Reads the test script of a package.json; undefined if it does not end with a known test runner. */
async function readTestScript(folder: FolderFacts): Promise<TestScript | undefined> {
  const script = folder.packageJson?.scripts["test"] ?? "";
  const text = script.slice(script.lastIndexOf("&&") + 1).replace(/^&/, "");
  const before = script.slice(0, script.length - text.length);
  if (CANNOT_BE_EXTENDED.test(withoutQuoted(text))) return undefined;
  const [words = [], ...more] = commandsOf(text);
  // In quotes, `&&` is no operator; then the last command of the whole script is another one.
  const same = JSON.stringify(commandsOf(script).at(-1)) === JSON.stringify(words);
  const found = await runnerIn(words.map((word) => word.text));
  if (found === undefined || more.length > 0 || !same) return undefined;
  return { before, text, words, runner: found.tool, at: found.at };
}

/** Whether a command before the last one runs tests: with a runner or by another test script. */
async function runsTestsIn(before: string): Promise<boolean> {
  const { buildTools } = await import("../../diagnostics/registry/build-tools.ts");
  const managers = buildTools.filter(({ packageManager }) => packageManager !== undefined);
  for (const command of commandsOf(before.replace(/&&$/, ""))) {
    const [program = "", ...words] = command.map(({ text }) => text);
    const found = await runnerIn([program, ...words]);
    const isRunner = found !== undefined && (words.includes("test") || found.tool.kinds.length === 1);
    const isScript =
      managers.some(({ id }) => id === program) && words.some((word) => /^test(?::|$)/.test(word));
    if (isRunner || isScript) return true;
  }
  return false;
}

/** Empties the quoted words in which nothing has a meaning for a shell. */
function withoutQuoted(text: string): string {
  return text.replaceAll(/'[^']*'|"[^"$`\\]*"/g, "''");
}

function commandsOf(text: string): readonly (readonly Word[])[] {
  try {
    return readCommandLine(text).commands;
  } catch (error) {
    // An empty script, or one with an open quote, has no commands that could be changed.
    if (error instanceof PithError) return [];
    throw error;
  }
}

/**
 * The command line that does what the package manager does with a changed script, including the scripts that npm runs
 * before and after it. Other package managers run those or not, by their version and settings.
 */
function wholeLine(
  { tool }: NamedCommand,
  line: string,
  folder: FolderFacts,
): { readonly line: string } | Refusal {
  const hooks = hooksOf(folder);
  if (OTHER_OPERATOR.test(withoutQuoted(line))) return NOT_REPLACEABLE;
  if (hooks.length === 0) return { line };
  const run = (name: string): (readonly string[] | undefined)[] =>
    hooks.includes(name) ? [tool.packageManager?.runHook?.(name, folder)] : [];
  const [before, after] = [run("pretest"), run("posttest")];
  if ([...before, ...after].includes(undefined))
    return { whyNot: `it depends on ${tool.id} whether ${hooks.join(" and ")} runs with the test script` };
  const lines = (commands: typeof before): string[] => commands.map((words = []) => words.join(" "));
  return { line: [...lines(before), line, ...lines(after)].join(" && ") };
}

/** The scripts of the package that package managers run with the test script, before or after it. */
function hooksOf(folder: FolderFacts): string[] {
  return ["pretest", "posttest"].filter((name) => folder.packageJson?.scripts[name] !== undefined);
}

function forTests(plan: CommandPlan, runner: BuildTool): CommandPlan {
  return { ...plan, expected: [runner.id], isTest: true };
}

/** The runner that a command starts, and where its name stands. */
export async function runnerIn(
  words: readonly string[],
): Promise<{ tool: BuildTool; at: number } | undefined> {
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
    if (at <= runner || !isArgument(words, at)) return true;
    return !/[/*]|\.[cm]?[jt]sx?$|^(?:tests?|specs?|src|lib|\.)$/.test(word);
  });
}

/** Whether a word is neither an option nor the value of one. */
function isArgument(words: readonly Word[], at: number): boolean {
  return words[at]?.text.startsWith("-") === false && !VALUE_OPTIONS.test(words[at - 1]?.text ?? "");
}
