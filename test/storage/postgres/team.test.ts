import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Services } from "../../../src/app/services.ts";
import type { CodeIndex } from "../../../src/index/service.ts";
import { randomId } from "../../../src/kernel/ids.ts";
import { planLine } from "../../../src/runs/plan/plan.ts";
import { rolesSql } from "../../../src/storage/postgres/rights.ts";
import { placesOf } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { folderAt, temporaryRepository } from "../../support/git-folder.ts";
import { makeMachine } from "../../support/machine.ts";
import { startPostgres } from "../../support/postgres-process.ts";
import { startProxy } from "../../support/tcp-proxy.ts";
import { freshStore, runSql, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshStore();
});
afterAll(() => database.drop());

/** Timeout for a busy machine; the wait ends as soon as the condition holds. */
const SLOW_MACHINE = { timeout: 120_000, interval: 200 } as const;
const REQUEST = { limit: 10, offset: 0, level: "signature", policy: "balanced" } as const;

async function search(index: CodeIndex, root: string, query: string): Promise<string[]> {
  return placesOf(await index.search({ ...REQUEST, root, query }));
}

/** Runs a command as a tool does, and waits for its end. */
async function run(machine: Services, root: string, line: string): Promise<string> {
  const report = await (
    await machine.runs()
  ).exec({ workspace: root, cwd: root, plan: planLine(line) }, { verbosity: "minimal" });
  return report.run.id;
}

describe("a team's store", { timeout: 300_000 }, () => {
  it("parses a blob once for all clones, and shows their runs to each other", async () => {
    const repository = temporaryRepository({
      "src/a.ts": "export function firstThing(): void {}\n",
      "src/b.ts": "export class SecondThing {}\n",
    });
    onTestFinished(() => repository.dispose());
    const clone = makeFolder();
    folderAt(clone).git("clone", "-q", repository.root, clone);
    const [here, there] = [makeMachine(database.url, repository.root), makeMachine(database.url, clone)];

    const first = await (await here.index()).index({ root: repository.root });
    expect(first).toMatchObject({ files_indexed: 2, status: "success" });
    const second = await (await there.index()).index({ root: clone });
    expect(second).toMatchObject({ files_indexed: 2, chunks_created: 0, status: "success" });
    expect(first.chunks_created).toBeGreaterThan(0);
    const [found] = await search(await there.index(), clone, "firstThing");
    expect(found).toBe("src/a.ts:1 firstThing");

    const projects = await (await there.index()).projects();
    expect(new Set(projects.map(({ family }) => family)).size).toBe(1);
    expect(projects.filter(({ host }) => host === undefined)).toHaveLength(1);
    expect(projects).toHaveLength(2);

    const id = await run(here, repository.root, "node -e \"console.log('seen from afar')\"");
    await expect
      .poll(async () => (await (await there.runs()).list(clone, 5))[0], SLOW_MACHINE)
      .toMatchObject({ id, end: { exitCode: 0 } });
    const log = await (await there.runs()).log({ runId: id, stream: "both", startLine: 1, lineCount: 5 });
    expect(log.lines.map(({ text }) => text)).toEqual(["seen from afar"]);
    expect(log.run.host).toBeDefined();
  });

  it("is read by a server with a read-only role, which keeps its own index", async () => {
    const root = makeFolder({ "a.ts": "export function onlyRead(): void {}\n" });
    const login = `reads_${randomId(8)}`;
    const writer = makeMachine(database.url, root);
    const id = await run(writer, root, "node -e \"console.log('for readers')\"");
    await runSql(database.url, rolesSql(), `CREATE ROLE ${login} LOGIN PASSWORD 'pw' IN ROLE pith_reader`);
    const reader = makeMachine(database.urlAs(login, "pw"), root);
    onTestFinished(async () => {
      await reader.close();
      await runSql(database.url, `DROP ROLE ${login}`);
    });
    expect(await search(await reader.index(), root, "onlyRead")).toEqual(["a.ts:1 onlyRead"]);
    expect((await (await reader.index()).status({ root })).store_notice).toContain("(reader) may not write");
    await expect
      .poll(
        async () =>
          (await reader.runs())
            .log({ runId: id, stream: "both", startLine: 1, lineCount: 5 })
            .catch(() => undefined),
        SLOW_MACHINE,
      )
      .toMatchObject({ lines: [{ text: "for readers" }] });
    expect((await reader.health()).checks).toContainEqual(
      expect.objectContaining({
        name: "team store",
        ok: true,
        detail: expect.stringContaining("role reader"),
      }),
    );
    await run(reader, root, "node -e 1");
  });

  it("is replaced by the local store while it is unavailable, with a note, and used again when it is back", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.close());
    const root = makeFolder({ "a.ts": "export function before(): void {}\n" });
    const machine = makeMachine(server.url, root);
    const index = await machine.index();
    const notice = async () => (await index.status({ root })).store_notice;
    const teamCheck = async () => (await machine.health()).checks.find(({ name }) => name === "team store");
    expect(await search(index, root, "before")).toEqual(["a.ts:1 before"]);
    expect(await notice()).toBeUndefined();
    expect(await teamCheck()).toMatchObject({
      ok: true,
      detail: expect.stringContaining("role owner (pith)"),
    });

    // A restart must go unnoticed.
    await server.stop();
    await server.start();
    folderAt(root).write("c.ts", "export function restarted(): void {}\n");
    expect(await search(index, root, "restarted")).toEqual(["c.ts:1 restarted"]);
    expect(await notice()).toBeUndefined();

    await server.stop();
    folderAt(root).write("b.ts", "export function meanwhile(): void {}\n");
    expect(await search(index, root, "meanwhile")).toEqual(["b.ts:1 meanwhile"]);
    expect(await search(index, root, "before")).toEqual(["a.ts:1 before"]);
    expect(await notice()).toContain("team store cannot be used");
    const failed = await teamCheck();
    expect(failed).toMatchObject({ ok: false, detail: expect.stringContaining("working locally since") });
    expect(failed?.detail).not.toContain(new URL(server.url).password);
    const id = await run(machine, root, "node -e 1");

    await server.start();
    await expect.poll(notice, SLOW_MACHINE).toBeUndefined();
    expect(await search(index, root, "meanwhile")).toEqual(["b.ts:1 meanwhile"]);
    const other = makeMachine(server.url, root);
    const next = await run(machine, root, "node -e 2");
    await expect
      .poll(async () => {
        const runs = await other.runs();
        return Promise.all([id, next].map((one) => runs.report(one, "minimal").catch(() => undefined)));
      }, SLOW_MACHINE)
      .toMatchObject([{ run: { id } }, { run: { id: next } }]);
  });

  it("is replaced by the local store when it stops answering, as behind a network that drops packets", async () => {
    const proxy = await startProxy(database.url);
    const root = makeFolder({ "a.ts": "export function spoken(): void {}\n" });
    const machine = makeMachine(proxy.url, root);
    const index = await machine.index();
    expect(await search(index, root, "spoken")).toEqual(["a.ts:1 spoken"]);
    expect((await index.status({ root })).store_notice).toBeUndefined();
    proxy.freeze();
    folderAt(root).write("b.ts", "export function unheard(): void {}\n");
    expect(await search(index, root, "unheard")).toEqual(["b.ts:1 unheard"]);
    expect((await index.status({ root })).store_notice).toContain("cannot be used");
    await run(machine, root, "node -e 1");
  });

  it("may be unavailable when a server starts", async () => {
    const root = makeFolder({ "a.ts": "export function alone(): void {}\n" });
    const machine = makeMachine("postgres://pith:hidden@127.0.0.1:1/team", root);
    expect(await search(await machine.index(), root, "alone")).toEqual(["a.ts:1 alone"]);
    await run(machine, root, "node -e 1");
    const health = await machine.health(root);
    expect(health.status).toBe("error");
    expect(JSON.stringify(health)).toContain("127.0.0.1:1/team");
    expect(JSON.stringify(health)).not.toContain("hidden");
  });

  it("is not waited for forever if it accepts connections and never answers", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const root = makeFolder({ "a.ts": "export function unanswered(): void {}\n" });
    const machine = makeMachine(`postgres://pith@127.0.0.1:${port}/team`, root);
    expect(await search(await machine.index(), root, "unanswered")).toEqual(["a.ts:1 unanswered"]);
    expect((await (await machine.index()).status({ root })).store_notice).toContain("cannot be used");
  });
});
