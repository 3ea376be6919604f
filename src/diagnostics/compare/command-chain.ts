import type { ScriptLine } from "../../model/run.ts";

/**
 * Matches any shell operator other than `&&`, even inside quotes. If a command line has one, the order in which its
 * commands ran is unknown.
 */
const OTHER_OPERATORS = /\|\||;|\n|(?<!&)&(?!&)|\||`|\$\(/;
const MAX_DEPTH = 5;

/** Facts about build tools from which Pith concludes which commands of an `&&` chain succeeded. */
export interface ChainTools {
  /** Returns the names of the programs that write a tool's output. */
  readonly programsOf: (tool: string) => readonly string[];
  /** The package managers that run scripts. */
  readonly packageManagers: readonly { readonly id: string }[];
}

/**
 * Returns a function that tells whether a tool must have succeeded: `a && b` runs `b` only after `a` succeeded, and the output shows that `b` ran.
 * Scripts that call other scripts are resolved with the command lines that the package manager prints.
 */
export function successChecker(
  { command, scripts }: { readonly command: string; readonly scripts: readonly ScriptLine[] },
  seen: ReadonlySet<string>,
  { programsOf, packageManagers }: ChainTools,
): (tool: string) => boolean {
  const byName = new Map(scripts.map(({ name, line }) => [name, line]));
  const call = new RegExp(
    String.raw`^(?:${packageManagers.map(({ id }) => id).join("|")})\s+(?:(?:run|run-script)\s+)?(?:-\S+\s+)*([\w:.-]+)\s*(?:--\s.*|-\S.*)?$`,
  );
  const steps = stepsOf(command, (step) => byName.get(call.exec(step)?.[1] ?? ""), 0);
  const runs = (step: string, tool: string): boolean =>
    step.split(/\s+/).some((word) => programsOf(tool).includes(word.replace(/^.*[\\/]/, "")));
  const last =
    steps === undefined ? -1 : steps.findLastIndex((step) => [...seen].some((tool) => runs(step, tool)));
  return (tool) => {
    if (steps === undefined) return false;
    const first = steps.findIndex((step) => runs(step, tool));
    // If the tool also runs in the last step, the output of that step may be the tool's own, so it does not prove that
    // the tool succeeded earlier.
    return first >= 0 && first < last && steps.findLastIndex((step) => runs(step, tool)) < last;
  };
}

/** Returns the commands of an `&&` chain in order, or undefined if anything but success decides which of them run. */
function stepsOf(
  line: string,
  scriptOf: (step: string) => string | undefined,
  depth: number,
): readonly string[] | undefined {
  if (OTHER_OPERATORS.test(line) || depth > MAX_DEPTH) return undefined;
  const steps: string[] = [];
  for (const step of line.split("&&").map((one) => one.trim())) {
    const script = scriptOf(step);
    const inner = script === undefined ? [step] : stepsOf(script, scriptOf, depth + 1);
    if (inner === undefined) return undefined;
    steps.push(...inner);
  }
  return steps;
}

/** Matches options that make a runner select tests by what changed, by what failed last, or by shard. */
const SELECTIVE =
  /(?:^|\s)(?:--(?:only-?)?changed\S*|--only-?failures|--last-failed(?!-no)\S*|--lf|--sw|--stepwise|--testmon\S*|--find-?related-?tests|--affected|affected(?::\S+)?|--since\S*|--shard\S*|-o)(?=\s|$)/i;

/** Returns whether a command may run different tests each time. */
export function isSelective(command: string, scripts: readonly ScriptLine[]): boolean {
  return [command, ...scripts.map(({ line }) => line)].some((line) => SELECTIVE.test(line));
}
