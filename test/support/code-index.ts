import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCodeIndex, type CodeIndex } from "../../src/index/service.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import type { SemanticSearch } from "../../src/semantic/semantic-search.ts";
import type { CodeAnswer } from "../../src/model/hit.ts";
import { discardIndexStore, openIndexStore } from "../../src/storage/sqlite/index-store.ts";

/** A code index with its own store. */
export interface TestIndex {
  readonly index: CodeIndex;
  readonly database: string;
  /** Opens another server on the same store, optionally with semantic search or another size limit. */
  second(meaning?: (database: string) => SemanticSearch, maxFileBytes?: number): CodeIndex;
  search(root: string, query: string, more?: object): Promise<CodeAnswer>;
  locate(root: string, name: string, more?: object): Promise<CodeAnswer>;
  dispose(): Promise<void>;
}

const DEFAULTS = { limit: 10, offset: 0, level: "signature", policy: "balanced" } as const;

export interface TestIndexOptions {
  readonly timeBudgetMs?: number;
  /** Creates semantic search over the same database for each server. */
  readonly meaning?: (database: string) => SemanticSearch;
}

export function createTestIndex(options: TestIndexOptions = {}): TestIndex {
  const folder = mkdtempSync(join(tmpdir(), "pith-index-"));
  const database = join(folder, "index.db");
  const open = (meaning = options.meaning, maxFileBytes = 1_500_000) =>
    createCodeIndex({
      openStore: () => openIndexStore(database),
      discardStore: () => discardIndexStore(database),
      logger: createLogger("error", () => undefined),
      // Tests do not depend on timing, so the budget is large enough to index everything.
      timeBudgetMs: options.timeBudgetMs ?? 60_000,
      answerMs: 120_000,
      maxFileBytes,
      workers: 1,
      prewarm: false,
      ...(meaning !== undefined && { semantic: meaning(database) }),
    });
  const opened = [open()];
  const [index] = opened;
  if (index === undefined) throw new Error("no index");
  return {
    index,
    database,
    second(meaning, maxFileBytes) {
      const other = open(meaning, maxFileBytes);
      opened.push(other);
      return other;
    },
    search: (root, query, more = {}) => index.search({ ...DEFAULTS, root, query, ...more }),
    locate: (root, name, more = {}) => index.locate({ ...DEFAULTS, root, name, ...more }),
    async dispose() {
      for (const one of opened) await one.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns `path:line name` of every hit. */
export function placesOf(answer: CodeAnswer): string[] {
  return answer.hits.map((hit) => `${hit.path}:${hit.lineStart} ${hit.name ?? ""}`.trimEnd());
}
