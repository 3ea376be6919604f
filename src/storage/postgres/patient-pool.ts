import type { Pool, PoolClient, QueryConfig } from "pg";
import { untilBack } from "../../pool/patience.ts";
import type { Postgres } from "./database.ts";
import { postgresError } from "./errors.ts";

export interface WhileAway {
  readonly onTrouble: (error: unknown) => void;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
}

/**
 * The store's connections for the queue library, which stops for good where a statement of its own fails, and may then
 * never come to its end: here a statement waits until it works, and finds nothing where that was not to be. Only the
 * statement that takes an entry is not the same when repeated; what it took without hearing of it is reclaimed later.
 */
export function patientPool(
  { pool, place }: Postgres,
  { onListening, ...whileAway }: WhileAway & { readonly onListening: () => void },
): Pool {
  const named = <T>(step: () => Promise<T>): Promise<T> =>
    step().catch((error: unknown) => {
      throw postgresError(error, place);
    });
  const query = (config: string | QueryConfig) =>
    untilDone<{ readonly rows: readonly unknown[] }>(() => named(() => pool.query(config)), {
      ...whileAway,
      instead: { rows: [] },
    });
  const connect = (onClient?: OnClient): unknown => {
    if (onClient === undefined) return Promise.resolve({ query, release: () => undefined });
    // One of its own, to listen on: the library notices itself when it breaks. What happened before it listened it
    // would find out only when it looks the next time.
    const client = untilDone(() => named(() => pool.connect()), { ...whileAway, instead: undefined });
    return client.then((got) => {
      if (got === undefined) return onClient(STOPPED, undefined, () => undefined);
      onClient(undefined, got, () => got.release(true));
      // After the LISTEN that the library has sent just now. Where it fails, the library comes for another one, or ends.
      return got
        .query("SELECT 1")
        .then(onListening)
        .catch(() => undefined);
    });
  };
  // The library asks a pool for connections and for nothing else.
  return { connect } as unknown as Pool;
}

type OnClient = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

const STOPPED = new Error("No more connections: the worker stops");

/** Repeats a step until it works, or gives what is there instead once the signal has aborted. It never rejects. */
export async function untilDone<T>(
  step: () => Promise<T>,
  { onTrouble, signal, instead }: WhileAway & { readonly instead: T },
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (signal.aborted) return instead;
    onTrouble(error);
    return untilBack(step, { onAway: onTrouble, signal, isPassing: () => true }).catch(() => instead);
  }
}
