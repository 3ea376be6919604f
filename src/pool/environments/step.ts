import type { RunEnd, StreamName } from "../../model/run.ts";
import type { RunEnding } from "../../runs/record/store.ts";
import type { Argv } from "./ecosystem.ts";

/** A command that installs something. */
export interface Step {
  readonly argv: Argv;
  /** The folder that the command may change. */
  readonly root: string;
  readonly cwd: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Variables of the machine that the command must not see. */
  readonly withoutVariables: readonly string[];
  /** Folders of programs that come first on the PATH. */
  readonly programFolders: readonly string[];
  /** The id of the parser of its output. */
  readonly parser: string;
  readonly timeoutMs: number;
}

export interface OutputPiece {
  readonly stream: StreamName;
  readonly bytes: Buffer;
}

/** Runs a step and returns how it ended and what it printed. It throws if this machine's rules forbid the command. */
export type StepRunner = (
  step: Step,
) => Promise<{ readonly ending: RunEnding; readonly output: readonly OutputPiece[] }>;

/** Thrown if a step fails. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly ending: RunEnding;
  readonly output: readonly OutputPiece[];

  constructor(step: Step, result: Awaited<ReturnType<StepRunner>>) {
    super(`${shownCommand(step)} ${describeEnd(result.ending.end, step)}`);
    this.ending = result.ending;
    this.output = result.output;
  }

  /** The message with the first error in the output, for readers who see nothing else of it. */
  get reason(): string {
    const [error] = this.ending.findings?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
    const text = Buffer.concat(this.output.map(({ bytes }) => bytes)).toString("utf8");
    const why = error?.message ?? text.trim().split("\n").at(-1) ?? "";
    const line = why.replaceAll(/\s+/g, " ").trim();
    return line === "" ? this.message : `${this.message}: ${line.slice(0, MAX_REASON)}`;
  }
}

const MAX_REASON = 300;

/** Runs a step and throws unless it succeeds. */
export async function runStep(run: StepRunner, step: Step): Promise<readonly OutputPiece[]> {
  const result = await run(step);
  const { cause, exitCode } = result.ending.end;
  if (cause !== "exit" || exitCode !== 0) throw new StepFailure(step, result);
  return result.output;
}

/** Puts a folder into the places that a table names as `{folder}`. */
export function inFolder(text: string, folder: string): string {
  return text.replaceAll("{folder}", () => folder);
}

/** The command as a user would type it: without options that only concern its output, and without the worker's paths. */
export function shownCommand({ argv, cwd }: Pick<Step, "argv" | "cwd">): string {
  const [program, ...args] = argv[0] === "sh" && argv[1] === "-c" ? argv.slice(2) : argv;
  return [program, ...args.filter((arg) => !QUIET_OPTIONS.has(arg))].join(" ").replaceAll(`${cwd}/`, "");
}

const QUIET_OPTIONS = new Set([
  "--no-audit",
  "--no-fund",
  "--no-input",
  "--no-interaction",
  "--no-progress",
  "--disable-pip-version-check",
  "--batch-mode",
  "--quiet",
  "--console=plain",
  "--no-daemon",
]);

function describeEnd({ cause, exitCode, signal, detail }: RunEnd, { timeoutMs }: Step): string {
  if (cause === "exit") return `exited ${exitCode}`;
  if (cause === "timed_out") return `took longer than ${Math.round(timeoutMs / 1000)} s`;
  if (cause === "resource_limit") return `was stopped: ${detail}`;
  if (cause === "signal") return `was killed by ${signal ?? "a signal"}`;
  return detail === undefined ? `ended: ${cause}` : `did not run: ${detail}`;
}
