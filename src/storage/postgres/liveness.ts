import { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ClientConfig } from "pg";
import { errnoOf, PithError } from "../../kernel/errors.ts";
import { showPlace, type StorePlace } from "./store-url.ts";

/** A statement that lasts longer is looked after. */
const SILENCE_MS = 5_000;
/** After a silence was found: whoever asks next need not wait as long to hear the same. */
const KNOWN_FOR_MS = 5_000;

/** Waits for the answer to a statement as long as the server shows signs of life. */
export type Patience = <T>(answer: Promise<T>) => Promise<T>;

/**
 * Tells a slow statement from a server that is frozen, or behind a network that swallows packets: a connection to
 * either stays open and says nothing for as long as anybody waits. A new connection tells which it is.
 */
export function patienceWith(config: ClientConfig, place: StorePlace): Patience {
  let silentAt = 0;
  let looking: Promise<boolean> | undefined;
  const answers = (): Promise<boolean> =>
    (looking ??= isAnswered(config).finally(() => (looking = undefined)));
  return async (answer) => {
    const over = new AbortController();
    const { signal } = over;
    const silence = async (): Promise<never> => {
      for (;;) {
        if (Date.now() - silentAt > KNOWN_FOR_MS) await delay(SILENCE_MS, undefined, { signal, ref: false });
        if (await answers()) silentAt = 0;
        else {
          silentAt = Date.now();
          throw new PithError("store_unavailable", `PostgreSQL at ${showPlace(place)}: it does not answer`, {
            suggestion: "Check the server and the network to it; Pith goes on locally until it is back.",
          });
        }
      }
    };
    const silent = silence();
    // Ended below, when it is no longer needed.
    silent.catch(() => undefined);
    // The driver gives it up later; nobody waits for it then.
    answer.catch(() => undefined);
    try {
      return await Promise.race([answer, silent]);
    } finally {
      over.abort();
    }
  };
}

/** Whether a new connection gets any answer; a refusal is one. */
async function isAnswered(config: ClientConfig): Promise<boolean> {
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
