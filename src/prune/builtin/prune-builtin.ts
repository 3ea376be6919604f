import type { PruneInput } from "../pruner.ts";
import { pruneLog } from "./log.ts";
import { pruneMatches, pruneSource } from "./source.ts";

/**
 * Share of the reply's token budget that is spent on lines; the rest is for line numbers and marks for omitted lines.
 */
const LINE_SHARE_OF_BUDGET = 0.75;

/**
 * Returns the indexes of the lines to keep, which have at most a given share of the text's tokens. Returns undefined if
 * nothing in the text matches the question.
 */
export function pruneBuiltin(
  input: PruneInput,
  question: string,
  { share, tokens }: { readonly share: number; readonly tokens: number },
): ReadonlySet<number> | undefined {
  const { lines, kind, maxTokens = Number.POSITIVE_INFINITY } = input;
  const keep = Math.min(share, (maxTokens * LINE_SHARE_OF_BUDGET) / tokens);
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
