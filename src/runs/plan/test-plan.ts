import type { FolderFacts } from "../../diagnostics/tool.ts";
import { PithError } from "../../kernel/errors.ts";
import { type CommandPlan, type NamedCommand, namedCommands, planNamed, quoteWord } from "./plan.ts";

export interface TestRequest {
  /** Which tests, in the runner's own words for it. */
  readonly filter?: string;
  /** Which package of a monorepo. */
  readonly package?: string;
  readonly args: readonly string[];
}

/** How a program is told which tests to run. */
interface Selection {
  filter?(filter: string): readonly string[];
  package?(name: string): readonly string[];
}

const SELECTIONS: Readonly<Record<string, Selection>> = {
  vitest: { filter: (text) => ["-t", text], package: (name) => ["--project", name] },
  jest: { filter: (text) => ["-t", text], package: (name) => ["--selectProjects", name] },
  mocha: { filter: (text) => ["-g", text] },
  playwright: { filter: (text) => ["-g", text], package: (name) => ["--project", name] },
  node: { filter: (text) => ["--test-name-pattern", text] },
  pytest: { filter: (text) => ["-k", text], package: (name) => [name] },
  unittest: { filter: (text) => ["-k", text] },
  cargo: { filter: (text) => [text], package: (name) => ["-p", name] },
  go: { filter: (text) => ["-run", text], package: (name) => [name] },
  dotnet: { filter: (text) => ["--filter", text], package: (name) => [name] },
  mvn: { filter: (text) => [`-Dtest=${text}`], package: (name) => ["-pl", name] },
  gradle: { filter: (text) => ["--tests", text], package: (name) => ["-p", name] },
  ctest: { filter: (text) => ["-R", text] },
  rspec: { filter: (text) => ["-e", text], package: (name) => [name] },
  phpunit: { filter: (text) => ["--filter", text], package: (name) => ["--testsuite", name] },
  swift: { filter: (text) => ["--filter", text] },
  bun: { filter: (text) => ["-t", text] },
};

/** How package managers are told which workspace: words right behind their own name. */
const WORKSPACE_WORDS: Readonly<Record<string, (name: string) => readonly string[]>> = {
  npm: (name) => ["-w", name],
  pnpm: (name) => ["--filter", name],
  bun: (name) => ["--filter", name],
  yarn: (name) => ["workspace", name],
};

/** Plans the tests of a folder: the package's own test script, else the runner that fits. */
export async function planTests(request: TestRequest, folder: FolderFacts): Promise<CommandPlan> {
  const commands = await namedCommands();
  const fitting = commands.filter(({ command }) => command.detect(folder) !== undefined);
  const manager = folder.packageJson?.packageManager;
  const chosen =
    fitting.find(isScript) ??
    fitting.find(runsTests) ??
    // The root of a monorepo need not have tests itself.
    (request.package === undefined
      ? undefined
      : commands.find(({ command }) => command.name === `${manager}.test`));
  if (chosen === undefined)
    throw new PithError("invalid_input", "run_tests: no test tool fits this folder", {
      suggestion: "Pass cwd of the package, or run the test command itself.",
    });
  const plan = planNamed(chosen, [...selectionOf(chosen, request, folder), ...request.args], folder);
  return { ...inWorkspace(plan, request.package), isTest: true };
}

function inWorkspace(plan: CommandPlan, name: string | undefined): CommandPlan {
  const [manager, ...rest] = plan.argv;
  const words = name === undefined ? undefined : WORKSPACE_WORDS[manager]?.(name);
  if (words === undefined) return plan;
  const argv: [string, ...string[]] = [manager, ...words, ...rest];
  return {
    ...plan,
    argv,
    display: argv.map(quoteWord).join(" "),
    commands: [argv.map((text) => ({ text, expands: false }))],
  };
}

/** `npm.test` and its like run what the project calls its tests. */
function isScript({ command }: NamedCommand): boolean {
  return /^(?:npm|pnpm|yarn|bun)\.test$/.test(command.name);
}

function runsTests({ tool, command }: NamedCommand): boolean {
  return tool.kinds.includes("test") && (tool.kinds.length === 1 || /test/.test(command.name));
}

function selectionOf(chosen: NamedCommand, request: TestRequest, folder: FolderFacts): readonly string[] {
  const argv = chosen.command.argv(folder);
  const selection = SELECTIONS[runnerOf(chosen, argv, folder)] ?? {};
  const byManager = WORKSPACE_WORDS[argv[0] ?? ""] !== undefined;
  const words: string[] = [];
  if (request.package !== undefined && !byManager) {
    if (selection.package === undefined) throw cannot("package", chosen);
    words.push(...selection.package(request.package));
  }
  if (request.filter !== undefined) {
    if (selection.filter === undefined) throw cannot("filter", chosen);
    words.push(...selection.filter(request.filter));
  }
  return words;
}

/** The program that gets the selection: the one in the script, or the command's own. */
function runnerOf(chosen: NamedCommand, argv: readonly string[], folder: FolderFacts): string {
  const script = isScript(chosen) ? (folder.packageJson?.scripts["test"] ?? "") : argv.join(" ");
  const words = script
    .split(/[\s/\\]+/)
    .map((word) => word.replace(/^gradlew$/, "gradle").replace(/^mvnw$/, "mvn"));
  return words.find((word) => Object.hasOwn(SELECTIONS, word)) ?? chosen.tool.id;
}

function cannot(field: string, { command }: NamedCommand): PithError {
  return new PithError("invalid_input", `run_tests: how ${command.name} takes a ${field} is not known`, {
    suggestion: "Pass the runner's own option in args.",
  });
}
