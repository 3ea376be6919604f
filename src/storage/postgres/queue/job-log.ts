import type { JobQueue } from "../../../pool/queue.ts";
import type { Postgres } from "../database.ts";
import { chunkTotals, JOB_LOG, readChunks } from "../runs/log-chunks.ts";

/** Reads the output that workers have sent. */
export function logQueries(store: Postgres): Pick<JobQueue, "totals" | "chunks"> {
  return {
    async totals(id, token) {
      const [job] = await store.query("SELECT token FROM pith.job WHERE id = $1", [id]);
      if (job === undefined) return undefined;
      const owner = { log: JOB_LOG, id, token: token ?? Number(job["token"]) };
      return { token: owner.token, ...(await chunkTotals(store, owner)) };
    },
    chunks: (query) => readChunks(store, { ...query, log: JOB_LOG }),
  };
}
