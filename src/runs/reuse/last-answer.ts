import { contentId } from "../../kernel/ids.ts";
import { withTimeout } from "../../kernel/with-timeout.ts";
import type { Run } from "../../model/run.ts";
import { findTopFolder } from "../../workspace/git/tree-state.ts";
import { contentOf } from "../../workspace/tree-fingerprint.ts";
import type { CommandPlan } from "../plan/plan.ts";
import { type RunRequest, type RunSettings } from "../plan/request.ts";
import { environmentOf } from "../plan/run-order.ts";
import type { RunStore, StoredRun } from "../record/store.ts";
import { mayCheck, readCheckLine } from "./check-line.ts";
import type { CheckState } from "./check-inputs.ts";
import type { PlannedCheck } from "./planned-check.ts";

/** A command that only checks, and the state of what it will read. */
export interface PreparedCheck {
  readonly planned: PlannedCheck;
  readonly state: CheckState;
  /** The earlier runs of the same command, the newest first. */
  readonly runs: readonly StoredRun[];
}

interface CheckRequest {
  readonly plan: CommandPlan;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly includesTests: boolean;
  readonly timeoutMs: number;
}

/**
 * An answer is not reused later than this, whatever the files say, because some rules depend on the date and not
 * everything that a checker may read is known.
 */
const MAX_AGE_MS = 60 * 60_000;

/** Upper bound on looking at all files, which is worth more time than a look at what git reports. */
const CHECK_TIMEOUT_MS = 3_000;
/** After a repository was too large to look at in time, it is not tried again for this time. */
const RETRY_AFTER_MS = 10 * 60_000;

interface Dependencies {
  readonly settings: RunSettings;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Present if there is a pool of other machines. */
  readonly openRemote?: unknown;
}

/** Answers commands that only check from their last run, while nothing has changed. */
export class LastAnswers {
  readonly #deps: Dependencies;
  readonly #tooSlow = new Map<string, number>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Prepares a command; undefined if it does more than check on this machine, and wherever that is not certain. */
  async prepare(request: RunRequest, openStore: () => Promise<RunStore>): Promise<PreparedCheck | undefined> {
    const { reuse = "checks", treeTimeoutMs: timeoutMs = CHECK_TIMEOUT_MS } = this.#deps.settings;
    const { plan, cwd } = request;
    const isRemote = request.pool !== undefined && this.#deps.openRemote !== undefined;
    // Somebody who reads the output as it comes needs a run.
    if (isRemote || request.onOutput !== undefined || request.isMerged) return undefined;
    if (reuse === "off" || process.platform === "win32" || !mayCheck(plan.display, reuse === "tests"))
      return undefined;
    const begun = Date.now();
    if (begun < (this.#tooSlow.get(cwd) ?? 0)) return undefined;
    const runs = await this.#runsOf(request, await openStore());
    if (!isWorthIt(runs, this.#deps.settings.freeCheckMs)) return undefined;
    const env = environmentOf(request, this.#deps);
    const prepared = await prepareCheck({ plan, cwd, env, includesTests: reuse === "tests", timeoutMs });
    if (Date.now() - begun >= timeoutMs) this.#tooSlow.set(cwd, begun + RETRY_AFTER_MS);
    return prepared && { ...prepared, runs };
  }

  /** Finds an earlier run of the same command that read what the command would read now, with its findings. */
  async find(
    check: PreparedCheck,
    store: Pick<RunStore, "get" | "openLog">,
  ): Promise<{ readonly run: StoredRun; readonly ageMs: number } | undefined> {
    const { treeTimeoutMs: timeoutMs = CHECK_TIMEOUT_MS } = this.#deps.settings;
    const now = Date.now();
    const same = await findSameRun(check, { now, timeoutMs });
    const run = same && (await store.get(same.id));
    const log = run && (await store.openLog(run));
    await log?.close();
    // Without its log, the answer would be less than that of a new run.
    return log === undefined || run === undefined ? undefined : { run, ageMs: ageOf(run, now) };
  }

  /** The earlier runs of the same command, the newest first. */
  async #runsOf(request: RunRequest, store: Pick<RunStore, "list">): Promise<StoredRun[]> {
    const key = keyOf(request);
    const runs = await store.list(request.workspace, this.#deps.settings.retention.count);
    return runs.filter((run) => run.key === key);
  }
}

/** Looking at the files may take this long, even if the check itself would be faster. */
const FREE_CHECK_MS = 250;

/** The time that looking at the files may take, as a multiple of the time that the check takes. */
const MAX_COST_PER_RUN = 2;

/** Checks whether looking at the files is worth its time, as far as earlier runs tell. */
export function isWorthIt(
  runs: readonly Pick<Run, "startedAt" | "endedAt" | "end">[],
  freeMs = FREE_CHECK_MS,
): boolean {
  const last = runs.find(({ end }) => end?.inputs !== undefined);
  if (last?.end?.inputs === undefined || last.endedAt === undefined) return true;
  return last.end.inputs.costMs <= Math.max(freeMs, (last.endedAt - last.startedAt) * MAX_COST_PER_RUN);
}

/** A key that is equal for runs of the same command in the same folder. */
export function keyOf({ cwd, plan }: Pick<RunRequest, "cwd" | "plan">): string {
  return contentId([cwd, ...(plan.key === undefined ? plan.argv : [plan.key])].join("\0"));
}

async function prepareCheck(request: CheckRequest): Promise<Omit<PreparedCheck, "runs"> | undefined> {
  const { plan, cwd, env, includesTests, timeoutMs } = request;
  const begun = Date.now();
  const [{ toolNamed }, inputs] = await Promise.all([
    import("../../diagnostics/registry/tool-names.ts"),
    import("./check-inputs.ts"),
  ]);
  try {
    return await withTimeout(timeoutMs, async (signal) => {
      const top = await findTopFolder(cwd, { signal });
      if (top === undefined) return undefined;
      const line = readCheckLine(plan.display, { top, cwd }, { includesTests, toolOf: toolNamed });
      if (line === undefined) return undefined;
      const variables = inputs.hashVariables(env);
      const state = await inputs.readCheckState({ ...line, top, env, variables }, signal);
      const before = { outside: state.outside, strict: state.survey.strict };
      const costMs = Date.now() - begun;
      return { planned: { ...line, top, variables, before, timeoutMs, costMs }, state };
    });
  } catch {
    // What decides the answer cannot be known, or not in time, so the command simply runs.
    return undefined;
  }
}

/** Finds the newest run that read exactly what the command would read now. */
async function findSameRun(
  { planned, state, runs }: PreparedCheck,
  { now, timeoutMs }: { readonly now: number; readonly timeoutMs: number },
): Promise<StoredRun | undefined> {
  let content: Promise<string | undefined> | undefined;
  const alike = runs.filter(
    (run) =>
      isReusable(run, now) &&
      run.end?.inputs?.outside === state.outside &&
      run.end.inputs.caches === state.survey.caches,
  );
  for (const run of alike) {
    const then = run.end?.inputs;
    const isSame = then?.strict === planned.before.strict;
    if (!isSame)
      content ??= withTimeout(timeoutMs, (signal) => contentOf(state.survey, signal)).catch(() => undefined);
    if (!isSame && (await content) !== then?.content) continue;
    const twins = alike.filter(({ end }) => end?.inputs?.content === then?.content);
    // Runs that read the same and ended differently show that the command is not as pure as its tool.
    return twins.every(({ end }) => end?.exitCode === run.end?.exitCode) ? run : undefined;
  }
  return undefined;
}

function isReusable(run: Run, now: number): boolean {
  const { end, host, unstored } = run;
  const age = ageOf(run, now);
  // Inputs are stored only with an end that has an answer.
  return (
    end?.inputs !== undefined && host === undefined && unstored === undefined && age >= 0 && age < MAX_AGE_MS
  );
}

function ageOf({ endedAt, startedAt }: Run, now: number): number {
  return now - (endedAt ?? startedAt);
}
