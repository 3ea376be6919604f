import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { VectorStore } from "../../../src/semantic/store.ts";
import { openVectorStore } from "../../../src/storage/sqlite/vector-store.ts";
import { testVectorStore } from "../../conformance/vector-store.ts";

testVectorStore("SQLite", async (test) => {
  const folder = mkdtempSync(join(tmpdir(), "pith-vectors-"));
  const opened: VectorStore[] = [];
  try {
    await test(async () => {
      const store = await openVectorStore(join(folder, "index.db"));
      opened.push(store);
      return store;
    });
  } finally {
    for (const store of opened) await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
