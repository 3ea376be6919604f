import type { ScriptLine } from "../../model/run.ts";

/** Matches any operator other than `&&`, even inside quotes. With one of these the order in which the commands ran is unknown. */
const OTHER_OPERATORS = /\|\||;|\n|(?<!&)&(?!&)|\||`|\$\(/;
const SCRIPT_CALL =
  /^(?:npm|pnpm|yarn|bun)\s+(?:(?:run|run-script)\s+)?(?:-\S+\s+)*([\w:.-]+)\s*(?:--\s.*|-\S.*)?$/;
const MAX_DEPTH = 5;

/** Program names of tools whose id differs from the program that users call. */
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
 * Returns a function that tells whether a tool must have succeeded: `a && b` runs `b` only after `a` succeeded, and the output shows that `b` ran.
 * Scripts that call other scripts are resolved with the command lines that the package manager prints.
 */
export function successChecker(
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
    // If the tool also runs in the last step, that step's output may be its own and proves nothing.
    return first >= 0 && first < last && steps.findLastIndex((step) => runs(step, tool)) < last;
  };
}

/** Returns the commands of an `&&` chain in order, or undefined if anything but success decides which of them run. */
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

/** Matches options that make a runner select tests by what changed, by what failed last, or by shard. */
const SELECTIVE =
  /(?:^|\s)(?:--(?:only-?)?changed\S*|--only-?failures|--last-failed(?!-no)\S*|--lf|--sw|--stepwise|--testmon\S*|--find-?related-?tests|--affected|affected(?::\S+)?|--since\S*|--shard\S*|-o)(?=\s|$)/i;

/** Returns whether a command may run different tests each time. */
export function isSelective(command: string, scripts: readonly ScriptLine[]): boolean {
  return [command, ...scripts.map(({ line }) => line)].some((line) => SELECTIVE.test(line));
}
