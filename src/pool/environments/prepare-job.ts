import { join, relative } from "node:path";
import { commandEnvironment } from "../../runs/plan/environment.ts";
import { removeLog } from "../../runs/record/log-files.ts";
import { checkedOutFiles } from "../../workspace/snapshot/checked-out-files.ts";
import type { LayerCopies } from "./layer-copies.ts";
import type { Layers } from "./layers.ts";
import { NOTHING_PREPARED, prepareFolder, type Preparation } from "./prepare.ts";
import { type OutputPiece, shownCommand, type StepRunner } from "./step.ts";
import type { Claim } from "../queue.ts";
import { type Place, runInPlace } from "../run-in-place.ts";
import { type MachineSettings, orderFor } from "../worker-command.ts";

/** A package manager that prints more is stopped; the output is kept in memory until it has ended. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/** Makes the folder of a job ready on this machine, if the job asks for it. */
export async function prepareJob(
  claim: Claim,
  place: Place,
  machine: MachineSettings & { readonly layers: Layers; readonly copies: LayerCopies },
  signal: AbortSignal,
): Promise<Preparation> {
  const { spec } = claim;
  if (spec.prepare === undefined) return NOTHING_PREPARED;
  const { variables, passEnvironment, layers, copies } = machine;
  return prepareFolder({
    spec: spec.prepare,
    root: place.root,
    cwd: spec.cwd,
    listFiles: () => checkedOutFiles(place.root, variables, signal),
    layers,
    copies,
    run: stepRunner(claim, place, machine, signal),
    isolation: machine.isolation?.kind,
    env: commandEnvironment({ base: variables, pass: passEnvironment, cwd: place.cwd, root: place.root }),
    signal,
  });
}

/** Runs the commands of package managers like the job's own, with the same rules, isolation and parsing. */
function stepRunner(
  { id, spec }: Claim,
  jobPlace: Place,
  machine: MachineSettings,
  signal: AbortSignal,
): StepRunner {
  return async (step) => {
    const { argv, root, cwd, variables, withoutVariables, programFolders, timeoutMs, parser } = step;
    const log = `${jobPlace.log}-prepare`;
    const place = { root, cwd, log, reportFile: `${log}.report`, marker: jobPlace.marker };
    const output: OutputPiece[] = [];
    const order = orderFor(
      {
        id,
        shown: {
          command: shownCommand(step),
          workspace: spec.root,
          cwd: join(spec.root, relative(root, cwd)),
        },
        argv,
        env: {},
        variables,
        withoutVariables,
        programFolders,
        timeoutMs,
        maxOutputBytes: MAX_OUTPUT_BYTES,
        expected: [parser],
        testsExpected: false,
      },
      place,
      machine,
    );
    try {
      const ending = await runInPlace({
        order,
        place,
        shownRoot: spec.root,
        isolation: machine.isolation,
        limits: machine.limits,
        signal,
        onStored: (stream, bytes) => output.push({ stream, bytes }),
        pressure: () => undefined,
      });
      return { ending, output };
    } finally {
      removeLog(log);
    }
  };
}
