import type { UseEdge } from "./use-graph.ts";

/** Share of the weight that follows the edges; the rest starts again at the files of interest. */
const DAMPING = 0.85;
const ROUNDS = 30;

/**
 * Computes how much of a reader's attention each file gets who starts at the files of interest (`start`, which adds up to
 * anything) and follows uses. The result adds up to 1.
 */
export function pageRank(count: number, edges: readonly UseEdge[], start: Float64Array): Float64Array {
  const restart = normalized(start);
  const outgoing = new Float64Array(count);
  for (const { from, weight } of edges) outgoing[from] = (outgoing[from] ?? 0) + weight;
  let rank = restart.slice();
  for (let round = 0; round < ROUNDS; round++) {
    const next = new Float64Array(count);
    let lost = 0;
    for (let file = 0; file < count; file++) if (outgoing[file] === 0) lost += rank[file] ?? 0;
    for (const { from, to, weight } of edges)
      next[to] = (next[to] ?? 0) + (DAMPING * (rank[from] ?? 0) * weight) / (outgoing[from] ?? 1);
    const rest = 1 - DAMPING + DAMPING * lost;
    for (let file = 0; file < count; file++) next[file] = (next[file] ?? 0) + rest * (restart[file] ?? 0);
    rank = next;
  }
  return rank;
}

function normalized(values: Float64Array): Float64Array {
  const sum = values.reduce((total, value) => total + value, 0);
  return sum === 0 ? values.map(() => 1 / Math.max(1, values.length)) : values.map((value) => value / sum);
}
