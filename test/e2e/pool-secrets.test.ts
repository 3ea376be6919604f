import { inflateRawSync, inflateSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { call } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connectServer, LONG_MS, startWorker } from "../support/pool.ts";
import { freshStore, runSql } from "../support/postgres.ts";
import { INLINE, SECRET_FILES, seenIn } from "../support/secret-files.ts";

/** Tests whose names and failures contain the secrets. */
function testFile(part: number): string {
  const lines = INLINE.filter((_one, index) => index % 2 === part).map(({ line }) => line);
  return `const test = require("node:test");
for (const line of ${JSON.stringify(lines)}) test(line, () => { throw new Error(line); });`;
}

it(
  "shows no kind of secret in a job's logs, its parts, its records or the database",
  { timeout: LONG_MS },
  async () => {
    const database = await freshStore();
    onTestFinished(() => database.drop());
    const folder = temporaryRepository({
      ...SECRET_FILES,
      "package.json": '{"scripts": {"test": "node --test"}}',
      "a.test.js": testFile(0),
      "b.test.js": testFile(1),
    });
    onTestFinished(() => folder.dispose());
    await startWorker({ url: database.url, args: ["--slots", "2"] });
    const client = await connectServer(folder.root, database.url, {
      PITH_POOL_SPLIT: "2",
      PITH_POOL_FALLBACK: "false",
      PITH_POOL_REUSE: "checks",
    });
    const texts = new Map<string, string>();
    const ask = async (tool: string, args: Record<string, unknown>): Promise<string> => {
      const text = await call(client, tool, { max_tokens: 9_000, ...args });
      texts.set(`${tool} ${JSON.stringify(args)}`, text);
      return text;
    };
    const quoted = INLINE.slice(0, 20).map(({ line }) => `'${line.replaceAll("'", "'\\''")}'`);
    for (const command of [
      "cat secrets.txt; exit 1",
      "cat compiler.txt >&2; exit 1",
      `: ${quoted.join(" ")}`,
    ])
      await ask("run_command", { command, verbosity: "full" });
    const tested = await ask("run_tests", { verbosity: "full", response_format: "json" });
    expect(tested).toContain("Split into 2 parts");
    for (const id of tested.match(/\br\d{6}\b/g) ?? [])
      await ask("get_job_logs", { job_id: id, lineCount: 500 });
    await client.close();
    for (const [table, text] of await contentsOf(database.url)) texts.set(`table ${table}`, text);
    expect(texts.get("table job_log")).toContain("(secret-masked)");
    expect(seenIn(texts)).toEqual([]);
  },
);

/** The values of each table as text. The files of jobs are there as they are, for the workers. */
async function contentsOf(url: string): Promise<Map<string, string>> {
  const [tables] = await runSql(
    url,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'pith'::regnamespace AND relkind IN ('r', 'p')
     AND NOT relispartition AND relname <> 'pack_part'`,
  );
  const contents = new Map<string, string>();
  for (const { name } of tables?.rows ?? []) {
    const [found] = await runSql(url, `SELECT * FROM pith.${String(name)}`);
    const values = (found?.rows ?? []).flatMap((row) => Object.values(row)).map(textOf);
    contents.set(String(name), values.join("\n"));
  }
  return contents;
}

function textOf(value: unknown): string {
  if (!Buffer.isBuffer(value)) return JSON.stringify(value) ?? "";
  const inflated = [inflateSync, inflateRawSync].flatMap((inflate) => {
    try {
      return [inflate(value).toString("latin1")];
    } catch {
      // Most columns are not compressed.
      return [];
    }
  });
  return [value.toString("latin1"), ...inflated].join("\n");
}
