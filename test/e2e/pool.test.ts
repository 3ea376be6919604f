import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { call } from "../support/client.ts";
import { type GitFolder, temporaryRepository } from "../support/git-folder.ts";
import { callJson, connectServer, startWorker, until } from "../support/pool.ts";
import { freshDatabase, type TestDatabase } from "../support/postgres.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

function repository(files: Record<string, string> = { "a.txt": "one\n" }): GitFolder {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  return folder;
}

describe("a job in the pool", () => {
  it("runs on the files as they are, and answers as a local run does", async () => {
    const folder = repository();
    folder.write("a.txt", "changed\n");
    folder.write("new.txt", "not committed\n");
    const worker = await startWorker({ url: database.url });
    const client = await connectServer(folder.root, database.url);
    const answer = await callJson(client, "run_command", {
      command: "sh -c 'cat a.txt new.txt; pwd; echo src/x.ts:3:7: error: bad >&2; exit 3'",
      verbosity: "full",
    });
    expect(answer).toMatchObject({ success: false, exit_code: 3 });
    expect(answer["stdout"]).toBe(`changed\nnot committed\n${folder.root}`);
    expect(answer["errors"]).toMatchObject([{ file: "src/x.ts", line: 3 }]);
    await worker.told((event) => event["kind"] === "ended" && event["id"] === answer["job_id"]);
    const again = await callJson(client, "build", { action: "exec", tool: "cat a.txt" });
    expect(again).toMatchObject({ success: true, exitCode: 0 });
    await until(() =>
      readdirSync(join(worker.dataFolder, "data/pool/workers/1/trees")).length === 0 ? true : undefined,
    );
    expect(await call(client, "worker_status")).toContain("1 worker");
  });
});
