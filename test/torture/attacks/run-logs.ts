import type { Attack } from "../attack.ts";
import { knownCommand } from "../commands.ts";
import { checkLog, waitForEnd } from "../run-logs.ts";

const RUNS = 6;

/** Checks that every line of a command's output is in its log and that the exit code is correct. */
export const runLogs: Attack = {
  name: "run-logs",
  about: "concurrent commands with known output, every line of their logs compared",
  async round(trial) {
    const { random } = trial;
    const peer = await trial.serve({
      env: { PITH_SERVER_ANSWER_TIMEOUT_MS: random.pick(["1000", "45000"]) },
    });
    await Promise.all(
      Array.from({ length: trial.times(RUNS) }, async (_, i) => {
        const known = knownCommand(random.fork(String(i)), { slow: i === 0 });
        const reply = await peer.call("build", {
          action: "exec",
          tool: known.command,
          response_format: "json",
        });
        const id = String(reply.meta["run_id"]);
        const cause = await waitForEnd(peer, id);
        if (cause !== "exit") trial.found("lost", `run ${id} ended as ${cause}: ${reply.text.slice(0, 300)}`);
        await checkLog(trial, peer, { id, known, whole: true });
      }),
    );
    trial.tried("runs", trial.times(RUNS));
  },
};
