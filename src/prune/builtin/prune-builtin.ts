import { pruneLog } from "./log.ts";
import { pruneSource } from "./source.ts";
import type { PruneInput } from "../pruner.ts";

/** The indexes of the lines to keep; undefined when nothing in the text is asked for. */
export function pruneBuiltin(
  input: PruneInput,
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  if (input.kind === "log") return pruneLog(input.lines, question, { keep, failed: input.failed ?? false });
  return pruneSource(input.lines, question, keep);
}
