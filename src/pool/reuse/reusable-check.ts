import { withTimeout } from "../../kernel/with-timeout.ts";
import type { RunOrder } from "../../runs/record/active-run.ts";
import { hasAnswer } from "../../runs/reuse/check-ending.ts";
import type { RunEnding } from "../../runs/record/store.ts";
import { type SharedCheck, sharedCheck } from "../../runs/reuse/shared-check.ts";
import { checkedOutFiles, checkedOutTree } from "../../workspace/snapshot/checked-out-files.ts";
import type { Preparation } from "../environments/prepare.ts";
import { pathTranslator } from "../path-translation.ts";
import type { Claim, FoundAnswer, JobQueue, NewAnswer } from "../queue.ts";
import type { Place } from "../run-in-place.ts";
import { NO_LOG, type MachineSettings } from "../worker-command.ts";
import { type CollectedOutput, decodeAnswer, encodeAnswer } from "./kept-answer.ts";

/** A job that is about to run: its folder is ready and the machine's rules allow its command. */
interface ReadyJob {
  readonly claim: Claim;
  readonly place: Place;
  readonly order: RunOrder;
  readonly prepared: Preparation;
  readonly machine: MachineSettings;
}

/** Upper bound on looking at the files of a job, after which it simply runs. */
const LOOK_TIMEOUT_MS = 20_000;

/** Identifies a job that only checks; undefined if it does more, if that is not certain, or if nobody asked for it. */
export async function reusableCheck(job: ReadyJob, signal: AbortSignal): Promise<SharedCheck | undefined> {
  const { claim, prepared } = job;
  const { spec } = claim;
  // A note says that files are missing on the worker, so the answer may be another one elsewhere.
  if (spec.reuse === undefined || prepared.identity === undefined || spec.note !== undefined)
    return undefined;
  const { identity } = prepared;
  try {
    return await withTimeout(LOOK_TIMEOUT_MS, (timeout) =>
      checkOf(job, identity, AbortSignal.any([signal, timeout])),
    );
  } catch (error) {
    if (signal.aborted) throw error;
    // The files could not be looked at in time, so the job runs as if nobody had asked.
    return undefined;
  }
}

async function checkOf(
  { claim: { spec }, place, order, machine }: ReadyJob,
  identity: readonly string[],
  signal: AbortSignal,
): Promise<SharedCheck | undefined> {
  const { root, cwd } = place;
  const { variables, isolation, marker } = machine;
  const anywhere = pathTranslator(spec.root, "{root}");
  return sharedCheck(
    {
      command: pathTranslator(spec.root, root)(spec.command),
      top: root,
      cwd,
      env: order.env,
      ownVariables: [marker, ...Object.keys(spec.env)],
      files: await checkedOutFiles(root, variables, signal),
      facts: [
        await checkedOutTree(root, variables, signal),
        anywhere(JSON.stringify([spec.cwd, spec.argv, spec.env, spec.hasReport, spec.expected])),
        JSON.stringify(isolation ?? null),
        ...identity,
      ],
    },
    signal,
  );
}

/** Looks for the answer that another run of the same check gave. */
export async function findAnswer(
  { id, token, spec }: Claim,
  { key }: SharedCheck,
  queue: Pick<JobQueue, "answer">,
): Promise<
  { readonly ending: RunEnding; readonly output: ReturnType<typeof decodeAnswer>["output"] } | undefined
> {
  if (spec.reuse !== "any") return undefined;
  const found: FoundAnswer | undefined = await queue.answer({ id, token }, key);
  if (found === undefined) return undefined;
  const { end, findings, output } = decodeAnswer(found.bytes, spec.root);
  const { run, by, endedAt } = found;
  return {
    ending: {
      endedAt: Date.now(),
      end: { ...end, reused: { run, by, endedAt } },
      log: NO_LOG,
      ...(findings && { findings }),
    },
    output,
  };
}

/** The answer to keep for others; undefined if the check has none, or if it is too large. */
export function answerOf(
  { spec }: Claim,
  check: SharedCheck | undefined,
  ending: RunEnding,
  output: CollectedOutput,
): NewAnswer | undefined {
  const { pieces } = output;
  const { exitCode } = ending.end;
  if (check === undefined || pieces === undefined || exitCode === undefined || !hasAnswer(ending, check))
    return undefined;
  return { key: check.key, exitCode, bytes: encodeAnswer(spec.root, ending, pieces) };
}
