import type { PruneInput } from "../pruner.ts";
import { pruneLog } from "./log.ts";
import { DEFAULT_KEEP, pruneMatches, pruneSource } from "./source.ts";

/**
 * Share of the reply's token budget that is spent on lines; the rest is for line numbers and marks for omitted lines.
 */
const LINE_SHARE_OF_BUDGET = 0.75;

/**
 * Returns the indexes of the lines to keep, for a share of the text's tokens or for the room of the reply. Returns
 * undefined if nothing in the text matches the question.
 */
export function pruneBuiltin(
  input: PruneInput,
  question: string,
  { keep, tokens }: { readonly keep: number | undefined; readonly tokens: number },
): ReadonlySet<number> | undefined {
  const { lines, kind, maxTokens = Number.POSITIVE_INFINITY, room } = input;
  const share = Math.min(keep ?? DEFAULT_KEEP, (maxTokens * LINE_SHARE_OF_BUDGET) / tokens);
  switch (kind) {
    case "log":
      return pruneLog(lines, question, {
        keep: room === undefined ? share : (keep ?? DEFAULT_KEEP),
        failed: input.failed ?? false,
        causes: input.causes ?? [],
        room,
      });
    case "matches":
      return pruneMatches(lines, question, { keep: share, around: input.around ?? [] });
    case "source":
      return pruneSource(lines, question, room === undefined ? { keep: share } : { keep, room });
    default:
      return kind satisfies never;
  }
}
