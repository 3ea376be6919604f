import type { ParsedQuery } from "../query/query.ts";
import { isSamePath, lastOf } from "./rank-paths.ts";
import type { View, ViewFile } from "../live/view.ts";

/** The share of the best word score that the innermost frame earns its file, and what each further one gets of that. */
const INNERMOST = 0.6;
const OUTER = 0.6;

/** What a stack trace earns the files of a view; frames in other projects' files do not count. */
export function framedFiles(view: View, { frames }: ParsedQuery): ReadonlyMap<ViewFile, number> {
  const byName = new Map<string, number[]>();
  for (const [order, frame] of frames.entries()) {
    const name = lastOf(frame);
    byName.set(name, [...(byName.get(name) ?? []), order]);
  }
  const orders = new Map<ViewFile, number>();
  if (frames.length === 0) return orders;
  for (const file of view.files) {
    if (file.facts.kind !== "code") continue;
    const order = byName.get(lastOf(file.path))?.find((at) => isSamePath(frames[at] ?? "", file.path));
    if (order !== undefined) orders.set(file, order);
  }
  const own = [...new Set(orders.values())].sort((a, b) => a - b);
  return new Map([...orders].map(([file, order]) => [file, INNERMOST * OUTER ** own.indexOf(order)]));
}
