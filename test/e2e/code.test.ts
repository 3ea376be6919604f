import { describe, expect, it } from "vitest";
import { temporaryRepository } from "../support/git-folder.ts";
import { call, pithMeta, textOf, WITH_INDEX_TOOLS } from "../support/client.ts";
import { connect } from "../support/inside.ts";
import { onTestFinished } from "vitest";

const FILES = {
  "src/cache.ts": `/** Keeps what was read last. */
export class LruCache {
  get(key: string): string | undefined {
    return undefined;
  }
  evictOldest(): void {}
}
`,
  "src/main.py": "def start_server(port):\n    raise OSError('address in use')\n",
};

function repository() {
  const folder = temporaryRepository(FILES);
  onTestFinished(() => folder.dispose());
  return folder;
}

describe("the code tools of the built server", () => {
  it("answer in a folder that was never indexed, and see the next edit", async () => {
    const folder = repository();
    const client = await connect(folder.root);
    expect(await call(client, "search_code", { query: "evict the oldest entry" })).toContain(
      "src/cache.ts:6 evictOldest(): void in LruCache",
    );
    expect(await call(client, "locate_symbol", { name: "LruCache.get" })).toBe(
      "src/cache.ts:3-5 get(key: string): string | undefined in LruCache",
    );
    folder.write("src/main.py", "\n\ndef start_server(port):\n    pass\n");
    expect(await call(client, "locate_symbol", { name: "start_server" })).toBe(
      "src/main.py:3-4 def start_server(port)",
    );
    expect(await call(client, "get_file_outline", { path: "src/cache.ts" })).toMatch(
      /^src\/cache\.ts typescript 7 lines\n2 export class LruCache\n 3 get/,
    );
    expect(await call(client, "locate_symbol", { name: "start_servr" })).toBe(
      "No match in 2 files; left out: ignored\nNearest: start_server",
    );
  });

  it("accept a result id in place of file and lines, also after a restart, until the file changes", async () => {
    const folder = repository();
    const client = await connect(folder.root);
    const found: { results: { result_id: string }[] } = JSON.parse(
      await call(client, "locate_symbol", { name: "LruCache.get", response_format: "json" }),
    );
    const id = found.results[0]?.result_id ?? "";
    expect(id).toMatch(/^.{7,12}$/);
    await client.close();
    const next = await connect(folder.root);
    const lines = await call(next, "read", { result_id: id });
    expect(lines).toContain("get(key: string)");
    expect(lines).not.toContain("evictOldest");
    expect(await call(next, "read", { result_id: id, around_line: 6, radius: 0 })).toContain("evictOldest");
    expect(await call(next, "get_file_outline", { chunk_id: id })).toContain("evictOldest");
    expect(await call(next, "search_code", { result_id: id })).toBe(
      "src/cache.ts:3-5 get(key: string): string | undefined in LruCache",
    );
    folder.write("src/cache.ts", "export class LruCache {}\n");
    for (const tool of ["read", "get_file_outline", "search_code"]) {
      const reply = await next.callTool({ name: tool, arguments: { result_id: id } });
      expect(reply.isError).toBe(true);
      expect(textOf(reply)).toContain("result_not_found");
      expect(textOf(reply)).toContain("Run the search again");
    }
  });

  it("continue with a cursor, also after a restart", async () => {
    const folder = repository();
    for (let i = 0; i < 12; i++) folder.write(`src/m${i}.py`, `def shared_name():\n    return ${i}\n`);
    const first = await (
      await connect(folder.root)
    ).callTool({ name: "locate_symbol", arguments: { name: "shared_name", limit: 5 } });
    expect(textOf(first)).toContain("+7 more: cursor=");
    const { cursor } = pithMeta(first);
    const second = await call(await connect(folder.root), "locate_symbol", {
      name: "shared_name",
      limit: 50,
      cursor,
    });
    const paths = [...textOf(first).split("\n").slice(0, 5), ...second.split("\n")].map(
      (line) => line.split(":")[0],
    );
    expect(new Set(paths).size).toBe(12);
    const wrong = await (
      await connect(folder.root)
    ).callTool({ name: "locate_symbol", arguments: { name: "other", cursor } });
    expect(wrong.isError).toBe(true);
  });

  it("report the state of the index, also for a project id", async () => {
    const folder = repository();
    const client = await connect(folder.root, { args: WITH_INDEX_TOOLS });
    const json = async (name: string, args: Record<string, unknown> = {}) =>
      JSON.parse(await call(client, name, { response_format: "json", ...args })) as Record<string, unknown>;
    const report = await json("index_repository");
    expect(report).toMatchObject({ status: "success", files_indexed: 2, chunks_created: 2 });
    // Every field is present unless the caller asks for less.
    expect(report).toMatchObject({ database_name: "index.db", errors: [] });
    const concise = await json("index_repository", { detail_level: "concise" });
    expect(concise).not.toHaveProperty("database_name");
    expect(concise).not.toHaveProperty("errors");
    expect(concise["duration_seconds"]).toBe(Math.round(Number(concise["duration_seconds"]) * 10) / 10);
    expect(await json("sync_repo")).toMatchObject({
      status: "success",
      status_message: "Nothing changed: the index is up to date",
    });
    const status = await json("index_status");
    expect(status).toMatchObject({
      index_status: "ready",
      freshness_status: "fresh",
      file_count: 2,
      symbol_count: 4,
    });
    // The server reports "warming" until the index is in memory.
    await expect.poll(async () => (await json("health_check"))["status"], { timeout: 30_000 }).toBe("ready");
    expect(await json("health_check")).toMatchObject({
      status: "ready",
      sqlite_ok: true,
      grammars: { missing: [] },
      active_job: null,
      interrupted_recovery_report: null,
      startup_checks: { index: { status: "compatible" } },
      projects: [{ repo_root: folder.root, index_status: "ready" }],
    });
    expect(
      await call(client, "locate_symbol", { name: "LruCache", project_id: status["project_id"] }),
    ).toContain("src/cache.ts:2");
    const bad = await client.callTool({
      name: "search_code",
      arguments: { query: "x", ref: "no-such-branch" },
    });
    expect(JSON.parse(textOf(bad))).toMatchObject({ error: { code: "ref_not_found" } });
  });
});
