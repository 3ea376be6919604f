import { chmodSync, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { LONG_MS, PATIENT, connectServer, makeGate, startWorker, until } from "../support/pool.ts";
import { freshStore, runSql } from "../support/postgres.ts";
import { startPostgres } from "../support/postgres-process.ts";

vi.setConfig({ testTimeout: LONG_MS });

describe("a pool whose database becomes unavailable", () => {
  it("is reported with runs in the pool and with local runs, and loses nothing", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.close());
    const folder = temporaryRepository({ "a.txt": "one\n" });
    onTestFinished(() => folder.dispose());
    const worker = await startWorker({ url: server.url, env: { PITH_POOL_LEASE_MS: "120000" } });
    const client = await connectServer(folder.root, server.url, { PITH_SERVER_ANSWER_TIMEOUT_MS: "4000" });
    const gate = makeGate();
    const command = `sh -c 'echo begun; ${gate.wait}; echo ended'`;
    const asked = call(client, "run_command", { command });
    await worker.told((event) => event["kind"] === "started");
    await server.stop();

    const answer = await asked;
    const id = /run (r\d+)/.exec(answer)?.[1];
    expect(answer).toMatch(/^in the pool \(unavailable: PostgreSQL at 127\.0\.0\.1:\d+\/postgres: /);
    expect(await call(client, "run_command", { command: "echo here" })).toMatch(
      /^ok exit 0 .*\nPool unavailable \(.*\); ran locally, in the working tree\./,
    );

    gate.open();
    await server.start();
    await worker.told((event) => event["kind"] === "ended" && event["id"] === id);
    const log = await until(async () => {
      const text = await call(client, "get_job_logs", { job_id: id }).catch(() => "");
      return text.includes("exit 0") ? text : undefined;
    });
    expect(log).toContain("begun\nended");
  });

  it("does not stop the commands of a machine whose Pith is older than the schema", async () => {
    const database = await freshStore();
    onTestFinished(() => database.drop());
    await runSql(database.url, "INSERT INTO pith.migration (version) VALUES (999)");
    const folder = temporaryRepository({ "a.txt": "one\n" });
    onTestFinished(() => folder.dispose());
    const client = await connectServer(folder.root, database.url);
    expect(await call(client, "run_command", { command: "cat a.txt" })).toMatch(
      /^ok exit 0 .*\nPool unavailable; ran locally, in the working tree\. .*newer Pith.*Update Pith on this machine.*\none$/s,
    );
  });

  it("does not keep a server from ending that was about to run its job itself", async () => {
    const database = await freshStore();
    const folder = temporaryRepository({ "a.txt": "one\n" });
    onTestFinished(() => folder.dispose());
    const gate = makeGate();
    const begun = join(makeFolder(), "begun");
    // A worker asks programs for their versions before it registers.
    const programs = makeFolder({ go: `#!/bin/sh\ntouch ${begun}\n${gate.wait}\n` });
    chmodSync(join(programs, "go"), 0o755);
    const client = await connectServer(folder.root, database.url, {
      PATH: `${programs}${delimiter}${PATIENT.PATH}`,
      PITH_SERVER_ANSWER_TIMEOUT_MS: "100",
    });
    expect(await call(client, "run_command", { command: "cat a.txt" })).toContain("queued");
    await until(() => (existsSync(begun) ? true : undefined));
    await database.drop();
    gate.open();
    await client.close();
  });
});
