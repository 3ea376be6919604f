import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";

const SAMPLE_MS = 200;
const SHOWN = 14;

interface Waits {
  /** Ends the samples and prints what the statements were waiting for, most often first. */
  readonly print: () => Promise<void>;
}

/** Looks a few times a second at what the database's statements wait for. */
export function sampleWaits(url: string): Waits {
  const counts = new Map<string, number>();
  const stop = new AbortController();
  let samples = 0;
  const sampling = (async (): Promise<void> => {
    const sql = new Client({ connectionString: url });
    await sql.connect();
    while (!stop.signal.aborted) {
      const { rows } = await sql.query(
        `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 40) || ': ' ||
           coalesce(wait_event_type || ' ' || wait_event, 'working or waiting for a processor') AS what, count(*) AS count
         FROM pg_stat_activity WHERE state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend' GROUP BY 1`,
      );
      for (const { what, count } of rows) counts.set(what, (counts.get(what) ?? 0) + Number(count));
      samples++;
      // The wait ends early when the samples end.
      await delay(SAMPLE_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await sql.end();
  })();
  return {
    async print() {
      stop.abort();
      await sampling;
      console.log("connections at work, on average, and what they wait for:");
      for (const [what, count] of [...counts].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN))
        console.log(`  ${(count / samples).toFixed(2)} ${what}`);
    },
  };
}
