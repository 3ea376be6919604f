import type { ScriptLine } from "../../model/run.ts";

/** Anything but `&&` between commands, also in quotes: then the order in which they ran is not known. */
const OTHER_OPERATORS = /\|\||;|\n|(?<!&)&(?!&)|\||`|\$\(/;
const SCRIPT_CALL =
  /^(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?(?:-\S+\s+)*([\w:.-]+)\s*(?:--\s.*|-\S.*)?$/;
const MAX_DEPTH = 5;

/** Names of programs behind the ids of tools that are called differently. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  "eslint-json": ["eslint"],
  "node-test": ["node"],
  tap: ["node", "tap", "tape"],
  "cargo-test": ["cargo"],
  "cargo-json": ["cargo"],
  "go-test": ["go"],
  "go-json": ["go"],
};

/**
 * Says of a tool whether it must have succeeded: `a && b` starts `b` only then, and `b` has left a trace in the output. Of scripts that call
 * others the lines are known that the package manager prints.
 */
export function chainOf(
  command: string,
  scripts: readonly ScriptLine[],
  seen: ReadonlySet<string>,
): (tool: string) => boolean {
  const byName = new Map(scripts.map(({ name, line }) => [name, line]));
  const steps = stepsOf(command, byName, 0);
  const last =
    steps === undefined ? -1 : steps.findLastIndex((step) => [...seen].some((tool) => runs(step, tool)));
  return (tool) => {
    if (steps === undefined) return false;
    const first = steps.findIndex((step) => runs(step, tool));
    // Where the tool runs again at the last step, that step may be its own.
    return first >= 0 && first < last && steps.findLastIndex((step) => runs(step, tool)) < last;
  };
}

/** The commands of a chain in their order; undefined where anything else than success decides which of them run. */
function stepsOf(
  line: string,
  scripts: ReadonlyMap<string, string>,
  depth: number,
): readonly string[] | undefined {
  if (OTHER_OPERATORS.test(line) || depth > MAX_DEPTH) return undefined;
  const steps: string[] = [];
  for (const step of line.split("&&").map((one) => one.trim())) {
    const script = scripts.get(SCRIPT_CALL.exec(step)?.[1] ?? "");
    const inner = script === undefined ? [step] : stepsOf(script, scripts, depth + 1);
    if (inner === undefined) return undefined;
    steps.push(...inner);
  }
  return steps;
}

function runs(step: string, tool: string): boolean {
  const programs = PROGRAMS[tool] ?? [tool];
  return step.split(/\s+/).some((word) => programs.includes(word.replace(/^.*[\\/]/, "")));
}

/** Options with which a runner chooses its tests by what changed or by what failed last. */
const SELECTIVE =
  /(?:^|\s)(?:--(?:only-?)?changed\S*|--only-?failures|--last-failed(?!-no)\S*|--lf|--sw|--stepwise|--testmon\S*|--find-?related-?tests|--affected|affected(?::\S+)?|--since\S*|--shard\S*|-o)(?=\s|$)/i;

/** Whether a command chooses its tests anew each time. */
export function isSelective(command: string, scripts: readonly ScriptLine[]): boolean {
  return [command, ...scripts.map(({ line }) => line)].some((line) => SELECTIVE.test(line));
}
