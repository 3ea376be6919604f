import { noPool } from "../../app/pool.ts";
import { poolFields, workerLine } from "../../render/run/pool.ts";
import { type Command, JSON_OPTION } from "../command.ts";
import { paint } from "../io.ts";

export const workers: Command = {
  name: "workers",
  summary: "List the workers of the team's pool",
  usage: "[--json]",
  onlyOptions: true,
  options: JSON_OPTION,
  examples: ["pith workers", "pith workers --json"],
  async run(context) {
    const { pool } = context.openServices();
    if (pool === undefined) throw noPool();
    const status = await (await pool()).queue.status();
    const { io } = context;
    if (context.flag("json")) io.out(`${JSON.stringify(poolFields(status))}\n`);
    else {
      const counts = `${status.running} running, ${status.queued} queued`;
      const none =
        "No worker is connected: start one with pith worker; until then jobs run where they are submitted.";
      const lines =
        status.workers.length === 0 ? [paint(io, "yellow", none)] : status.workers.map(workerLine);
      io.out(`${[...lines, counts].join("\n")}\n`);
    }
    return 0;
  },
};
