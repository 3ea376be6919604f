import type { Services } from "../app/services.ts";
import { type ServerWatch, watchServers } from "../hook/watch-servers.ts";
import type { WatchedCall } from "../model/watched-call.ts";
import type { CallsPage } from "./wire.ts";

/** Upper bound on the calls that are kept, in memory only; the oldest are forgotten first. */
const MAX_CALLS = 500;

/** Watches the calls of agents, once a person has turned this on. */
export interface CallWatch {
  page(): CallsPage;
  /** Starts watching, or stops and forgets all calls. */
  turn(on: boolean): void;
  onCall(listener: (call: WatchedCall) => void): () => void;
  close(): void;
}

/** With `others`, the calls that other servers of this user answer are watched too. */
export function createCallWatch({ calls: feed, dataFolder }: Services, others: boolean): CallWatch {
  const listeners = new Set<(call: WatchedCall) => void>();
  let calls: WatchedCall[] = [];
  let stop: (() => void) | undefined;
  let servers: ServerWatch | undefined;
  const take = (call: WatchedCall): void => {
    calls = [...calls, call].slice(-MAX_CALLS);
    for (const listener of listeners) listener(call);
  };
  const turn = (on: boolean): void => {
    if (on === (stop !== undefined)) return;
    stop?.();
    servers?.close();
    calls = [];
    stop = on ? feed.watch(take) : undefined;
    servers = on && others ? watchServers(dataFolder, take) : undefined;
  };
  return {
    turn,
    page: () => ({
      isOn: stop !== undefined,
      servers: stop === undefined ? 0 : others ? (servers?.servers() ?? 0) : 1,
      calls,
    }),
    onCall(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: () => turn(false),
  };
}
