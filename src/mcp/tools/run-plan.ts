import type { Services } from "../../app.ts";
import { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { Verbosity } from "../../model/run-report.ts";
import { readLabels } from "../../pool/labels.ts";
import type { CommandPlan } from "../../runs/plan.ts";
import type { JailedPath } from "../../workspace/jail.ts";
import { hidden, texts } from "../schema/field.ts";
import type { Annotations, Call } from "../tool.ts";

export const VERBOSITIES = ["minimal", "normal", "full"] as const;
export const STREAMS = ["both", "stdout", "stderr"] as const;

/** A command can do anything. */
export const RUNS_COMMANDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/** What a worker must have: `gpu`, `os=linux`. */
export const labels = hidden(texts(undefined, 32));

interface PlanOptions {
  readonly cwd: JailedPath | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs: number | undefined;
  readonly verbosity: Verbosity | undefined;
  /** Whether it belongs into the pool where there is one. */
  readonly pooled?: boolean;
  /** What a worker must have for it. */
  readonly labels?: readonly string[] | undefined;
}

/** Runs a planned command for a call, which may cancel it and hears of its progress. */
export function runPlan(plan: CommandPlan, options: PlanOptions, call: Call): Promise<RunReport> {
  const { env, timeoutMs } = options;
  return call.services.runs.exec(
    {
      workspace: call.workspace.absolute,
      cwd: (options.cwd ?? call.workspace).absolute,
      plan,
      outlives: true,
      ...(env === undefined ? {} : { env }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(options.pooled ? poolOf(options.labels ?? [], call.services) : {}),
    },
    {
      verbosity: options.verbosity ?? "minimal",
      progress: (message) => call.progress(message),
      signal: call.signal,
    },
  );
}

/** A job that asks for a label must not run where nobody looked for it. */
export function poolOf(
  wanted: readonly string[],
  { pool, config }: Pick<Services, "pool" | "config">,
): { pool?: { labels: string[] } } {
  const needs = readLabels(wanted, "labels");
  if (pool !== undefined && config.pool.jobs) return { pool: { labels: needs } };
  if (needs.length === 0) return {};
  throw new PithError("pool_unavailable", `No pool to find a worker with ${needs.join(", ")}`, {
    suggestion: "Leave labels out, or set PITH_STORE and [pool] jobs = true.",
  });
}

/** How many bytes of build output make a token, about: output that is too long to be counted is measured by it. */
const BYTES_A_TOKEN = 3.5;

/** All that the command printed, in tokens. */
export function rawTokensOf({ raw, run }: RunReport): number {
  if (raw !== undefined) return estimateTokens(raw.map((line) => line.text).join("\n"));
  return Math.round(run.log.bytes / BYTES_A_TOKEN);
}

export function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
