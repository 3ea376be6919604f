import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { showPlace, type StorePlace } from "./store-url.ts";

/** A statement that takes longer than this triggers a probe of the server. */
const PROBE_AFTER_MS = 5_000;
/** After a failed probe, further statements fail at once for this long instead of waiting again. */
const DOWN_CACHE_MS = 5_000;

/** Waits for the answer to a statement as long as the server responds to probes. */
export type LivenessGuard = <T>(answer: Promise<T>) => Promise<T>;

/**
 * Creates a function that tells a slow statement from a frozen server or a network that drops packets. In each case the
 * open connection stays silent, so a probe on a new connection tells which it is.
 */
export function createLivenessGuard(config: ClientConfig, place: StorePlace): LivenessGuard {
  let failedAt = 0;
  let probing: Promise<boolean> | undefined;
  const answers = (): Promise<boolean> =>
    (probing ??= answersProbe(config).finally(() => (probing = undefined)));
  return async (answer) => {
    const over = new AbortController();
    const { signal } = over;
    const silence = async (): Promise<never> => {
      for (;;) {
        if (Date.now() - failedAt > DOWN_CACHE_MS)
          await delay(PROBE_AFTER_MS, undefined, { signal, ref: false });
        if (await answers()) failedAt = 0;
        else {
          failedAt = Date.now();
          throw new PithError("store_unavailable", `PostgreSQL at ${showPlace(place)}: it does not answer`, {
            suggestion: "Check the server and the network to it; Pith continues locally until it is back.",
          });
        }
      }
    };
    const silent = silence();
    // This handler only prevents an "unhandled rejection": the race below reports the rejection, or is already decided.
    silent.catch(() => undefined);
    // If the server counts as silent, the driver rejects the statement later, when nobody waits for it any more.
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, silent]);
    } finally {
      over.abort();
    }
  };
}

/** Probes the server: true if a new connection gets any answer, even an error that the server reports. */
async function answersProbe(config: ClientConfig): Promise<boolean> {
  const { Client } = await import("pg");
  const socket = new Socket();
  const client = new Client({ ...config, stream: () => socket });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("SELECT 1");
    await client.end();
    return true;
  } catch (error) {
    return /^[0-9A-Z]{5}$/.test(errnoOf(error) ?? "");
  } finally {
    socket.destroy();
  }
}
