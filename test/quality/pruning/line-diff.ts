/** Upper bound on changed lines; a larger change is a rewrite rather than a fix. */
const MAX_CHANGES = 400;

/**
 * Returns the indexes of the lines of `before` that a change touches: removed lines, and for added lines the line before
 * them. Returns undefined if too much changed. It uses Myers' greedy search for the shortest edit.
 */
export function changedLines(
  before: readonly string[],
  after: readonly string[],
): ReadonlySet<number> | undefined {
  const trace = searchEdits(before, after);
  if (trace === undefined) return undefined;
  const changed = new Set<number>();
  const added = new Set<number>();
  let x = before.length;
  let y = after.length;
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const reached = trace[edits - 1] ?? new Int32Array(0);
    const offset = edits - 1;
    const at = (k: number): number => (Math.abs(k) > offset ? -1 : (reached[k + offset] ?? -1));
    const k = x - y;
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
    x = at(down ? k + 1 : k - 1);
    y = x - (down ? k + 1 : k - 1);
    if (down) added.add(x);
    else changed.add(x);
  }
  for (const x of added) {
    const replaces = changed.has(x) || changed.has(x - 1);
    if (!replaces && before.length > 0) changed.add(Math.max(0, x - 1));
  }
  return changed;
}

/** Returns, for each number of edits, how far each diagonal reaches in `before`. */
function searchEdits(before: readonly string[], after: readonly string[]): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= Math.min(MAX_CHANGES * 2, before.length + after.length); edits++) {
    const last = trace[edits - 1];
    const reached = new Int32Array(2 * edits + 1);
    trace.push(reached);
    for (let k = -edits; k <= edits; k += 2) {
      const at = (d: number): number => (Math.abs(d) > edits - 1 ? -1 : (last?.[d + edits - 1] ?? -1));
      const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1));
      let x = edits === 0 ? 0 : down ? at(k + 1) : at(k - 1) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x++;
      reached[k + edits] = x;
      if (x >= before.length && x - k >= after.length) return trace;
    }
  }
  return undefined;
}
