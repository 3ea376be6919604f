import type { WatchedCall } from "../../model/watched-call.ts";

/** Upper bound on the characters of arguments and of a reply that a watcher receives. */
const MAX_ARGUMENTS = 20_000;
const MAX_REPLY = 100_000;

/** Passes the calls of agents on to whoever watches. Nothing is kept, and nothing is done while nobody watches. */
export interface CallFeed {
  /** Calls back after each answered call; the returned function ends this. */
  watch(onCall: (call: WatchedCall) => void): () => void;
  publish(tool: string, args: Readonly<Record<string, unknown>>, call: AnsweredCall): Promise<void>;
}

interface AnsweredCall {
  readonly agent: { readonly client: string; readonly session?: string | undefined } | undefined;
  readonly answer: {
    readonly text: string;
    readonly isError: boolean;
    readonly meta: Readonly<Record<string, unknown>>;
  };
  readonly startedAt: number;
}

export function createCallFeed(): CallFeed {
  const watchers = new Set<(call: WatchedCall) => void>();
  return {
    watch(onCall) {
      watchers.add(onCall);
      return () => void watchers.delete(onCall);
    },
    async publish(tool, args, { agent, answer, startedAt }) {
      if (watchers.size === 0 || agent === undefined) return;
      // Replies are masked already, but arguments are as the agent wrote them.
      const { maskText } = await import("../../security/secrets/mask.ts");
      const call = {
        at: startedAt,
        durationMs: Date.now() - startedAt,
        tool,
        client: agent.client,
        ...(agent.session === undefined ? {} : { session: agent.session }),
        arguments: maskText(JSON.stringify(args)).slice(0, MAX_ARGUMENTS),
        reply: answer.text.slice(0, MAX_REPLY),
        tokens: Number(answer.meta["tokens"] ?? 0),
        isError: answer.isError,
      };
      for (const onCall of watchers) onCall(call);
    },
  };
}
