import type { PruneInput } from "../pruner.ts";
import { pruneLog } from "./log.ts";
import { pruneMatches, pruneSource } from "./source.ts";

/** Of the reply's room, what line numbers and marks leave for the lines themselves. */
const ROOM_FOR_LINES = 0.75;

/** The indexes of the lines to keep for a share of the text, which has so many tokens; undefined when nothing in the text is asked for. */
export function pruneBuiltin(
  input: PruneInput,
  question: string,
  { share, tokens }: { readonly share: number; readonly tokens: number },
): ReadonlySet<number> | undefined {
  const { lines, kind, maxTokens = Number.POSITIVE_INFINITY } = input;
  const keep = Math.min(share, (maxTokens * ROOM_FOR_LINES) / tokens);
  switch (kind) {
    case "log":
      return pruneLog(lines, question, { keep, failed: input.failed ?? false, causes: input.causes ?? [] });
    case "matches":
      return pruneMatches(lines, question, keep);
    case "source":
      return pruneSource(lines, question, keep);
    default:
      return kind satisfies never;
  }
}
