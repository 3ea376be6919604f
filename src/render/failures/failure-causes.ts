import { Budget } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { TestSummary } from "../../model/test-summary.ts";
import { clusterFailures, type FailureCluster, otherPlaces } from "./failure-clusters.ts";
import type { RunCalls } from "../run/run-calls.ts";
import { type RenderedTests, renderTestFailures } from "./test-failures.ts";

/**
 * Writes one example for each likely cause of many failed tests, with the places of the others, and counts what does
 * not fit. Returns undefined if the failed tests have nothing in common, or if the budget has no room for an example.
 */
export function renderCauses(
  summary: TestSummary,
  budget: Budget,
  { calls, tokens }: { readonly calls: RunCalls; readonly tokens: number },
): RenderedTests | undefined {
  const total = summary.failures.length;
  const clusters = clusterFailures(summary.failures);
  const narrower = calls.narrow === undefined ? "" : `; of one file or name: add ${calls.narrow}`;
  const closing = `all ${total} failed tests: ${calls.all}${narrower}`;
  const room = new Budget(Math.min(tokens, budget.remainingTokens));
  room.reserve(`and 100 more causes (10000 tests)\n${closing}`);
  const blocks: string[] = [];
  for (const cluster of clusters) {
    const block = writeCluster(cluster, summary, room);
    if (block === undefined) break;
    blocks.push(block);
  }
  const hidden = clusters.slice(blocks.length);
  if (blocks.length === 0 || clusters.length === total) return undefined;
  const tests = hidden.reduce((sum, { others }) => sum + 1 + others.length, 0);
  const rest =
    hidden.length === 0
      ? []
      : [`and ${pluralize(hidden.length, "more cause")} (${pluralize(tests, "test")})`];
  const text = [...blocks, ...rest, closing].join("\n");
  budget.reserve(text);
  return { text, shown: total, total };
}

/** Writes the failed tests of one likely cause; undefined if their example does not fit as a whole. */
function writeCluster(cluster: FailureCluster, summary: TestSummary, room: Budget): string | undefined {
  const { text, shown } = renderTestFailures({ ...summary, failures: [cluster.example] }, room);
  if (shown === 0) return undefined;
  return cluster.others.length === 0 ? text : `${text}\n${otherPlaces(cluster, room)}`;
}
