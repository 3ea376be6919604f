import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { BINARY, connect, serverEnvironment, textOf, WITH_INDEX_TOOLS } from "../support/client.ts";
import { startEmbeddingServer } from "../support/embedding-server.ts";
import { makeFolder } from "../support/folder.ts";

/** A key that is assembled here, so that no scanner reports it as a real one. */
const SECRET = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
const FILES = {
  "src/login.ts": `export const token = "${SECRET}";\n`,
  "src/vehicle.ts":
    "/** Ignites the engine of the vehicle. */\nexport function ignite(key: string): void {}\n",
  "src/invoice.ts":
    "/** Sums the positions. */\nexport function total(positions: number[]): number {\n  return 1;\n}\n",
};

async function startServer(url: string) {
  const workspace = makeFolder(FILES);
  return connect(workspace, {
    args: WITH_INDEX_TOOLS,
    env: {
      PITH_SEARCH_SEMANTIC_PROVIDER: "openai",
      PITH_SEARCH_SEMANTIC_ENDPOINT: `${url}/v1`,
      PITH_SEARCH_SEMANTIC_MODEL: "toy",
      PITH_EMBEDDINGS_API_KEY: "key-7",
      // The timeout is long, because a loaded machine may be slow.
      PITH_SEARCH_SEMANTIC_QUERY_TIMEOUT_MS: "60000",
    },
  });
}

describe("a server with embeddings", () => {
  it("answers in all formats with the similarity of results and where texts were sent", async () => {
    const provider = await startEmbeddingServer({ synonyms: { automobile: "vehicle", motor: "engine" } });
    const client = await startServer(provider.url);
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      textOf(await client.callTool({ name, arguments: args }));
    await call("index_repository", { wait_for_embeddings: true });
    expect(await call("index_status")).toContain(
      `texts are sent to ${provider.url}/v1/embeddings (openai, model toy, 64 dimensions)`,
    );
    expect(provider.texts().join("\n")).not.toContain(SECRET);
    expect(provider.texts().join("\n")).toContain("export const token = ");
    expect(provider.calls.every(({ authorization }) => authorization === "Bearer key-7")).toBe(true);
    const ask = (more: Record<string, unknown>) =>
      call("search_code", { query: "automobile motor", ...more });
    expect(await ask({})).toMatch(/^src\/vehicle\.ts:2 .*ignite.* \[meaning 0\.\d\d\]/);
    for (const detail_level of ["concise", "detailed"]) {
      const json = JSON.parse(await ask({ response_format: "json", detail_level }));
      const [hit] = json.results;
      expect(hit).toMatchObject({ path: "src/vehicle.ts", similarity_score: expect.any(Number) });
      expect(String(hit.similarity_score).length > 4).toBe(detail_level === "detailed");
      expect(json).toMatchObject({ total_count: 3, metadata: { search_mode: "hybrid" } });
      expect("database_name" in json).toBe(detail_level === "detailed");
      const markdown = await ask({ response_format: "markdown", detail_level });
      expect(markdown).toContain("# Search Results\n\n**Total Results**: 3\n**Latency**: ");
      expect(markdown).toContain(
        detail_level === "concise" ? "| src/vehicle.ts | 2-2 | fn ignite | 1 | 0." : "**Similarity**: 0.",
      );
    }
    const explained = JSON.parse(await ask({ response_format: "json", ranking_explain_level: "full" }));
    expect(explained.metadata.ranking_reasons[0]).toMatchObject({
      semantic_similarity: expect.any(Number),
      semantic_contribution: expect.any(Number),
    });
    expect(await ask({ ranking_explain_level: "basic" })).toMatch(/\[meaning 0\.\d\d 1\.00\]/);
    await provider.stop();
    expect(await call("search_code", { query: "sum of all positions" })).toMatch(/\n\(words only: .+\)/);
  });

  it("reports in pith doctor where code is sent", async () => {
    const provider = await startEmbeddingServer({ models: ["toy"] });
    const diagnose = async (model: string) => {
      const env = serverEnvironment({
        env: {
          PITH_SEARCH_SEMANTIC_PROVIDER: "ollama",
          PITH_SEARCH_SEMANTIC_ENDPOINT: provider.url,
          PITH_SEARCH_SEMANTIC_MODEL: model,
        },
      });
      const doctor = spawn(process.execPath, [BINARY, "doctor", "--json"], {
        cwd: makeFolder(),
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
      let said = "";
      doctor.stdout.on("data", (chunk: Buffer) => void (said += chunk.toString()));
      await once(doctor, "close");
      const { checks } = JSON.parse(said) as { checks: { name: string; ok: boolean; detail: string }[] };
      return checks.find(({ name }) => name === "embeddings");
    };
    const where = `ollama at ${provider.url}/api/embed, model`;
    expect(await diagnose("toy")).toMatchObject({
      ok: true,
      detail: expect.stringMatching(`^${where} toy: 64 dimensions in \\d+ ms; code is sent there$`),
    });
    expect(await diagnose("other")).toMatchObject({
      ok: false,
      detail: expect.stringContaining(`${where} other: status 404: model "other" not found`),
    });
    expect(provider.texts()).toEqual(["pith doctor", "pith doctor"]);
  });

  it("resumes embedding after it was killed", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`src/file${i}.ts`, `export const value${i} = "text ${i}";\n`]),
    );
    const workspace = makeFolder(files);
    const provider = await startEmbeddingServer();
    const env = serverEnvironment({
      env: {
        PITH_DATA_DIR: makeFolder(),
        PITH_SEARCH_SEMANTIC_PROVIDER: "ollama",
        PITH_SEARCH_SEMANTIC_ENDPOINT: provider.url,
        PITH_SEARCH_SEMANTIC_MODEL: "toy",
        PITH_SEARCH_SEMANTIC_BATCH_SIZE: "2",
        PITH_SEARCH_SEMANTIC_CONCURRENCY: "1",
      },
    });
    const index = () =>
      spawn(process.execPath, [BINARY, "index"], {
        cwd: workspace,
        env,
        stdio: ["ignore", "pipe", "inherit"],
      });
    const stalled = new Promise<void>((resolve) => {
      provider.behave((_call, _response, number) => {
        if (number < 3) return false;
        resolve();
        return true;
      });
    });
    const killed = index();
    await stalled;
    killed.kill("SIGKILL");
    await once(killed, "close");
    provider.behave(undefined);
    const before = provider.texts().length;
    const again = index();
    let said = "";
    again.stdout.on("data", (chunk: Buffer) => void (said += chunk.toString()));
    const [code] = await once(again, "close");
    expect(said).toContain("semantic ready: 10 chunks embedded");
    expect(code).toBe(0);
    // Two batches had been stored when the third was interrupted.
    expect(provider.texts().length - before).toBe(6);
  });
});
