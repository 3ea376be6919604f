import type { View } from "../live/view.ts";

/** Returns how well a word in a file name distinguishes files: 1 if only one file has it, near 0 if all have it. */
export type PathRarity = (stem: string) => number;

const known = new WeakMap<View, PathRarity>();

/** Returns how rare each word is in the names of the project's source files. */
export function pathRarityOf(view: View): PathRarity {
  const before = known.get(view);
  if (before !== undefined) return before;
  const holders = new Map<string, number>();
  let files = 0;
  for (const { facts } of view.files) {
    if (facts.kind !== "code" || facts.role.test) continue;
    files++;
    for (const stem of new Set(facts.stemStems)) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  }
  const most = Math.log(files + 1);
  const rarity: PathRarity = (stem) => {
    const count = holders.get(stem) ?? 0;
    return count < 2 ? 1 : Math.max(0, 1 - Math.log(count) / most);
  };
  known.set(view, rarity);
  return rarity;
}
