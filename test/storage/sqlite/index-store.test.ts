import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IndexStore } from "../../../src/index/store/store.ts";
import { openIndexStore } from "../../../src/storage/sqlite/index-store.ts";
import { testIndexStore } from "../../conformance/index-store.ts";

testIndexStore("SQLite", async (test) => {
  const folder = mkdtempSync(join(tmpdir(), "pith-store-"));
  const opened: IndexStore[] = [];
  try {
    await test(async () => {
      const store = await openIndexStore(join(folder, "index.db"));
      opened.push(store);
      return store;
    });
  } finally {
    for (const store of opened) await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
