import type { UseFacts } from "../../model/use.ts";
import type { ViewFile } from "../live/view.ts";
import { storedUses } from "../store/stored-record.ts";
import type { IndexStore } from "../store/store.ts";

/** Reads the uses of names in files from the index. Nothing of it stays in memory after the question was answered. */
export interface UseReader {
  /** Returns the uses of names in one file. */
  factsOf(file: ViewFile): Promise<UseFacts>;
  /** Reads many files at once, so that `factsOf` need not read them one by one. */
  load(files: readonly ViewFile[]): Promise<void>;
}

const NO_FACTS: UseFacts = { uses: [], links: [], marks: new Map(), isModule: false };

export function createUseReader(store: Pick<IndexStore, "uses">): UseReader {
  const known = new Map<string, UseFacts>();
  const load = async (files: readonly ViewFile[]): Promise<void> => {
    const missing = new Set(files.map(({ key }) => key).filter((key) => !known.has(key)));
    if (missing.size === 0) return;
    for (const [key, bytes] of await store.uses([...missing])) known.set(key, storedUses(bytes));
  };
  return {
    load,
    async factsOf(file) {
      await load([file]);
      return known.get(file.key) ?? NO_FACTS;
    },
  };
}
