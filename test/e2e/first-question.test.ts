import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BINARY, pithMeta, serverEnvironment, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { temporaryFolder } from "../support/git-folder.ts";
import { connect, pithInside } from "../support/inside.ts";

/** So many files that no machine indexes them before the first question arrives. */
const FILES = 600;
/** A file that is last in every order in which the index could read the files. */
const LAST = `pkg99/m${FILES - 1}.py`;

const repository = temporaryFolder();
const { root } = repository;
afterAll(() => repository.dispose());

beforeAll(() => {
  for (let i = 0; i < FILES; i++) {
    const folder = join(root, `pkg${i % 100}`);
    if (i < 100) mkdirSync(folder);
    const name = join(folder, `m${i}.py`);
    writeFileSync(name, `class Thing${i}:\n    def run_${i}(self):\n        return ${i % 7}\n`);
  }
  writeFileSync(
    join(root, LAST),
    'class LastParcel:\n    def unwrapGift(self):\n        raise ValueError("bow is missing")\n',
  );
  repository.git("init", "-q");
  repository.git("add", "-A");
  repository.git("commit", "-q", "-m", "all");
}, 120_000);

/** A time budget that is too short to index these files. */
const HURRIED = {
  PITH_SERVER_ANSWER_TIMEOUT_MS: "50",
  PITH_INDEX_TIME_BUDGET_MS: "50",
  PITH_INDEX_WORKERS: "1",
};

async function ask(client: Client, name: string, args: Record<string, unknown>) {
  const told: { progress: number; total?: number | undefined }[] = [];
  const result = await client.callTool(
    { name, arguments: args },
    { onprogress: (update) => told.push(update), timeout: 240_000 },
  );
  return { text: textOf(result), meta: pithMeta(result), told };
}

describe("the first question in a new repository", () => {
  it("waits for the index and reports its progress", async () => {
    const files = manyFunctions();
    const client = await connect(makeFolder(files), { env: { PITH_INDEX_WORKERS: "1" } });
    const { text, meta, told } = await ask(client, "search_code", { query: "unwrapGift" });
    expect(text).toContain("small.py:1-2 def unwrapGift(self)");
    // On a slow machine the files that are not indexed yet were scanned for the words of the question.
    if (meta["result_completeness"] !== "complete") expect(meta["scanned_for"]).toEqual(["unwrapGift"]);
    expect(told.length).toBeGreaterThan(0);
    expect(told.at(-1)?.total).toBeGreaterThanOrEqual(Object.keys(files).length);
  }, 240_000);

  it.each([
    ["search_code", { query: "how is a gift unwrapped" }, "def unwrapGift"],
    ["search_code", { query: '"bow is missing"' }, "LastParcel"],
    ["search_code", { query: "unwrap_gift", ref: "HEAD" }, "def unwrapGift"],
    ["locate_symbol", { name: "LastParcel.unwrapGift" }, "def unwrapGift"],
  ])(
    "%s %j finds what is read last, where there is no time for the index",
    async (tool, args, found) => {
      const client = await connect(root, { env: HURRIED });
      const { text, meta } = await ask(client, tool, args);
      expect(text.split("\n")[0]).toContain(LAST);
      expect(text).toContain(found);
      // The scan may take so long that the index is complete by then.
      if (meta["result_completeness"] === "complete") return;
      expect(meta).toMatchObject({ result_completeness: "partial", indexing_status: "indexing" });
      expect(text).toMatch(/\(partial: indexing, \d+ files to go, scanned for "/);
    },
    120_000,
  );

  it("says for which words the files that are not indexed yet were scanned if a name is not found", async () => {
    const client = await connect(root, { env: HURRIED });
    const { text, meta } = await ask(client, "locate_symbol", { name: "NoSuchParcel" });
    expect(meta["total"]).toBe(0);
    if (meta["result_completeness"] === "complete") return;
    expect(meta["scanned_for"]).toEqual(["NoSuchParcel"]);
    expect(text).toContain('scanned for "NoSuchParcel"');
  }, 120_000);

  it("outlines a file without waiting for the others, and does not mark the index as complete", async () => {
    const client = await connect(root, { env: HURRIED });
    const { text } = await ask(client, "get_file_outline", { path: LAST });
    expect(text).toContain("1 class LastParcel");
    const other = await ask(client, "search_code", { query: "run_598" });
    expect(other.text).toContain("pkg98/m598.py:2-3 def run_598(self)");
    expect(other.text).not.toContain("stale");
    const old = await ask(client, "get_file_outline", { path: LAST, ref: "HEAD" });
    expect(old.text).toContain("1 class LastParcel");
  }, 120_000);
});

/** So much source that one parser thread reads it for longer than a server or a command waits before it reports progress. */
function manyFunctions(): Record<string, string> {
  const text = Array.from({ length: 400 }, (_, i) => `def run_${i}(a):\n    return a + ${i}\n`).join("");
  const files = Array.from({ length: 400 }, (_, i) => [`m${i}.py`, `GROUP = ${i}\n${text}`] as const);
  return { ...Object.fromEntries(files), "small.py": "def unwrapGift(self):\n    return self\n" };
}

describe("the first question from the shell", () => {
  it("finds a definition in the file that is indexed last", async () => {
    const { status, stdout } = await pithInside(["symbol", "LastParcel"], root);
    expect(stdout).toContain(`${LAST}:1-3 class LastParcel`);
    expect(status).toBe(0);
  }, 240_000);

  it("outlines a file", async () => {
    expect((await pithInside(["outline", LAST], root)).stdout).toContain("1 class LastParcel");
  }, 120_000);

  it.runIf(process.platform === "linux")(
    "shows a progress bar on a terminal and removes it",
    () => {
      const command = `'${process.execPath}' '${BINARY}' search unwrapGift`;
      const shown = execFileSync("script", ["-qec", command, "/dev/null"], {
        cwd: makeFolder(manyFunctions()),
        env: { ...serverEnvironment({ dataFolder: makeFolder() }), PITH_INDEX_WORKERS: "1" },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "inherit"],
      });
      expect(shown).toMatch(/\r\[#*-*\] \d+\/\d+ files/);
      expect(shown).toContain("\r\u001B[Ksmall.py:1-2 def unwrapGift");
    },
    240_000,
  );
});
