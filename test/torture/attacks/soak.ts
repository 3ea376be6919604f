import { join } from "node:path";
import type { Attack, Trial } from "../attack.ts";
import { editOnce, plant } from "../edits.ts";
import { askOne } from "../oracle.ts";
import type { Peer } from "../peer.ts";
import { Tree } from "../tree.ts";

const CALLS = 30;
/** Rounds before memory growth counts, in which caches fill and code is compiled. */
const WARM_UP = 5;
/** Allowed memory growth after the warm-up. */
const MAX_GROWTH = 200 * 1024 * 1024;

interface Soaked {
  readonly peer: Peer;
  readonly tree: Tree;
  rounds: number;
  /** Highest memory use at the end of a warm-up round. */
  settled: number;
}

/** Checks that a server's memory use does not grow over time. */
export const soak: Attack = {
  name: "soak",
  about: "one server through all rounds: edits and calls of every kind, with its memory monitored",
  lasting: true,
  async round(trial) {
    const { random } = trial;
    const state = await trial.keep(() => begin(trial));
    const calls = trial.times(CALLS);
    for (let i = 0; i < calls; i++) {
      if (random.chance(0.5)) editOnce(state.tree, random);
      if (random.chance(0.1)) await state.peer.call("bash", { command: "seq 1 2000" });
      else if (random.chance(0.05)) await state.peer.call("build", { action: "exec", tool: "seq 1 500" });
      else await askOne(trial, state.tree, state.peer, random);
    }
    trial.tried("calls", calls);
    const now = state.peer.measure();
    state.rounds++;
    if (state.rounds <= WARM_UP) state.settled = Math.max(state.settled, now);
    else if (now > state.settled + MAX_GROWTH)
      trial.found("memory", `from ${state.settled} to ${now} bytes in ${state.rounds} rounds`);
  },
};

async function begin(trial: Trial): Promise<Soaked> {
  const tree = new Tree(join(trial.folder, "work"), trial.random.fork("tree"));
  plant(tree, trial.random, 100);
  return { peer: await trial.serve(), tree, rounds: 0, settled: 0 };
}
