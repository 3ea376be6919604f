import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { connect, WITH_INDEX_TOOLS } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { folderAt } from "../support/git-folder.ts";

/** A scan of 5,000 or more files may be cut short, and no machine indexes them within 50 ms. */
const FILES = 5_200;

interface Reply {
  readonly status?: string;
  readonly status_message?: string;
  readonly index_status?: string;
  readonly results?: readonly {
    readonly path: string;
    readonly line_start: number;
    readonly stale?: boolean;
  }[];
  readonly symbols?: readonly { readonly name: string; readonly line_start: number }[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

async function ask(
  client: Client,
  name: string,
  args: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  const result = await client.callTool({ name, arguments: { ...args, response_format: "json" } });
  const [block] = result.content;
  return JSON.parse(block?.type === "text" ? block.text : "{}");
}

function plant(): string {
  const root = makeFolder();
  for (let i = 0; i < FILES; i++) {
    const folder = join(root, `pkg${i % 50}`);
    if (i < 50) mkdirSync(folder);
    writeFileSync(
      join(folder, `m${i}.py`),
      `class Thing${i}:\n    def run_${i}(self):\n        return helper_${i}\n`,
    );
  }
  folderAt(root).git("init", "-q");
  return root;
}

it("a large repository is searched while it is indexed, and results are marked if there was no time to scan all files", async () => {
  const root = plant();
  const dataFolder = makeFolder();
  const slow = await connect(root, {
    dataFolder,
    args: WITH_INDEX_TOOLS,
    env: { PITH_SERVER_ANSWER_TIMEOUT_MS: "50" },
  });

  const first = await ask(slow, "locate_symbol", { name: "Thing77" });
  const isAll = first.metadata?.["result_completeness"] === "complete";
  expect(first.metadata?.["freshness_status"]).toBe(isAll ? "fresh" : "syncing");
  expect(first.metadata?.["indexing_status"]).toBe(isAll ? "ready" : "indexing");

  const forced = await ask(slow, "index_repository", { force_reindex: true });
  expect(forced).toMatchObject({
    status: "running",
    status_message: expect.stringContaining("call again to follow it"),
  });
  for (;;) {
    const report = await ask(slow, "sync_repo");
    if (report.status === "success") break;
    expect(report.status).toBe("running");
  }
  expect(await ask(slow, "index_status")).toMatchObject({ index_status: "ready" });
  await slow.close();

  // No scan of so many files ends within a millisecond.
  const hasty = await connect(root, { dataFolder, env: { PITH_INDEX_TIME_BUDGET_MS: "1" } });
  const folder = folderAt(root);
  folder.write("pkg27/m77.py", "\n\nclass Thing77:\n    pass\n");
  folder.write("pkg0/new.py", "\ndef brand_new():\n    pass\n");
  const outline = await ask(hasty, "get_file_outline", { path: "pkg0/new.py" });
  expect(outline).toMatchObject({ symbols: [{ name: "brand_new", line_start: 2 }] });
  const marked = await ask(hasty, "locate_symbol", { name: "Thing77", freshness_policy: "best_effort" });
  if (marked.metadata?.["freshness_status"] === "stale")
    expect(marked.metadata).toMatchObject({ indexing_status: "ready", result_completeness: "partial" });
  for (const hit of marked.results ?? []) if (hit.stale !== true) expect(hit.line_start).toBe(3);
  const strict = await ask(hasty, "locate_symbol", { name: "Thing77", freshness_policy: "strict" });
  expect(JSON.stringify(strict)).toMatch(/"line_start":3|index_stale/);
  for (;;) {
    const { results = [], metadata } = await ask(hasty, "locate_symbol", { name: "brand_new" });
    if (results[0]?.path === "pkg0/new.py") break;
    // Until the file is found, the answer says that it may be incomplete.
    expect(metadata).toMatchObject({ result_completeness: "partial" });
  }
}, 300_000);
