import type { PoolClient } from "pg";
import { isStoreUnavailable } from "../../../kernel/errors.ts";
import type { PoolNews } from "../../../pool/queue.ts";
import type { Postgres } from "../database.ts";
import { NEWS_CHANNEL } from "./sql.ts";

const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/**
 * Listens for pool events on a connection of its own. A broken connection is reopened with increasing delays; a caller that must not miss
 * an event also polls.
 */
export async function listenForNews(
  store: Postgres,
  onNews: (news: PoolNews) => void,
): Promise<() => Promise<void>> {
  let client: PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;
  let waitMs = MIN_WAIT_MS;
  let ended = false;
  const again = (): void => {
    client?.release(true);
    client = undefined;
    if (ended) return;
    clearTimeout(timer);
    timer = setTimeout(() => void open(), waitMs);
    timer.unref();
    waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
  };
  const open = async (): Promise<void> => {
    try {
      const fresh = await store.listeners.connect();
      if (ended) return fresh.release(true);
      client = fresh;
      fresh.once("error", again);
      fresh.on("notification", ({ payload }) => {
        const news = readNews(payload);
        if (news !== undefined) onNews(news);
      });
      await fresh.query(`LISTEN ${NEWS_CHANNEL}`);
      waitMs = MIN_WAIT_MS;
      // A notification is simulated here, because jobs may have been queued while nobody listened.
      onNews({ kind: "queued" });
    } catch {
      // The database is unavailable. Another attempt is scheduled; callers that query the database see the reason
      // themselves.
      again();
    }
  };
  await open();
  return async () => {
    ended = true;
    clearTimeout(timer);
    client?.release(true);
    client = undefined;
  };
}

/**
 * Tells others of a change that is committed already. Nothing is lost if that fails: workers and servers also poll, only
 * later.
 */
export async function announce(
  { query }: Pick<Postgres, "query">,
  statement: string,
  values: readonly unknown[],
): Promise<void> {
  try {
    await query(statement, values);
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
  }
}

/** Returns undefined for events of unknown kind, which a newer version of Pith may send. */
function readNews(payload: string | undefined): PoolNews | undefined {
  if (payload === undefined) return undefined;
  try {
    const news = JSON.parse(payload) as { kind?: unknown; id?: unknown; for?: unknown };
    if (news.kind === "queued")
      return { kind: "queued", ...(Array.isArray(news.for) && { for: news.for.map(String) }) };
    if ((news.kind === "cancel" || news.kind === "ended") && typeof news.id === "string")
      return { kind: news.kind, id: news.id };
    return undefined;
  } catch {
    return undefined;
  }
}
