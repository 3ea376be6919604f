import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Attack } from "../attack.ts";
import { HttpClient } from "../http-client.ts";
import { ERAS } from "../peer.ts";

const CLIENTS = 100;

/** Checks that each of a hundred concurrent HTTP clients gets its own answers. */
export const crowd: Attack = {
  name: "crowd",
  about: "100 clients at once over HTTP, each of which must get its own answers",
  async round(trial) {
    const { random } = trial;
    const clients = trial.times(CLIENTS);
    for (let i = 0; i < clients; i++)
      writeFileSync(join(trial.folder, "work", `f${i}.py`), `def own_${i}_name():\n    return ${i}\n`);
    const peer = await trial.serve({ http: true });
    await Promise.all(
      Array.from({ length: clients }, async (_, i) => {
        const mine = random.fork(String(i));
        const client = await HttpClient.open(peer.url, mine.pick(ERAS));
        const expect = async (tool: string, args: object, text: string): Promise<void> => {
          const reply = await client.call(tool, args);
          trial.tried("calls");
          const isMarked =
            reply.meta["indexing_status"] === "indexing" || reply.meta["freshness_status"] === "syncing";
          if (!reply.text.includes(text) && !isMarked)
            trial.found("lost", `client ${i}: ${tool} without ${text}: ${reply.text.slice(0, 300)}`);
        };
        await expect("read", { file_path: `f${i}.py` }, `def own_${i}_name()`);
        await expect("grep", { pattern: `own_${i}_name` }, `f${i}.py:1`);
        await expect("locate_symbol", { name: `own_${i}_name` }, `f${i}.py:1`);
        if (i % 10 === 0) await expect("bash", { command: `echo mine-${i}` }, `mine-${i}`);
        await client.close();
      }),
    );
    trial.tried("clients", clients);
  },
};
