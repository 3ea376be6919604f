import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { randomId } from "../../src/kernel/ids.ts";
import { rolesSql } from "../../src/storage/postgres/rights.ts";
import { connect, serverEnvironment, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { folderAt } from "../support/git-folder.ts";
import { pithInside } from "../support/inside.ts";
import { freshDatabase, runSql, type TestDatabase } from "../support/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

interface Machine {
  readonly cwd: string;
  readonly data: string;
}

/** Runs the command line as if on a separate machine. */
async function pith(
  { cwd, data }: Machine,
  args: readonly string[],
  store = database.url,
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const env = serverEnvironment({ env: { PITH_STORE: store, PITH_DATA_DIR: data, ...more } });
  const { status, stdout, stderr } = await pithInside(args, cwd, env);
  return { code: status, out: stdout, err: stderr };
}

describe("pith with a team's store", { timeout: 300_000 }, () => {
  it("shares index, runs and logs between machines", async () => {
    const here = { cwd: makeFolder({ "a.ts": "export function shared(): void {}\n" }), data: makeFolder() };
    const git = folderAt(here.cwd);
    git.git("init", "-q");
    git.git("add", "-A");
    git.git("commit", "-q", "-m", "first");
    const there = { cwd: makeFolder(), data: makeFolder() };
    git.git("clone", "-q", here.cwd, there.cwd);

    expect((await pith(here, ["store", "migrate"])).out).toMatch(
      /^127\.0\.0\.1:\d+\/test_\w+ has schema \d+(, and its roles have their privileges)?\n$/,
    );
    expect((await pith(here, ["store", "roles", "--apply"])).out).toContain("have their privileges");
    expect((await pith(here, ["store", "keep", "20"])).out).toBe(
      "Runs, jobs and logs are kept for 20 days\n",
    );
    const first = JSON.parse((await pith(here, ["index", "--json"])).out);
    expect(first).toMatchObject({ status: "success", files_indexed: 1 });
    const second = JSON.parse((await pith(there, ["index", "--json"])).out);
    expect(second).toMatchObject({ status: "success", files_indexed: 1, chunks_created: 0 });

    const script = "console.log('from far'); process.exit(3)";
    expect((await pith(here, ["exec", "--", "node", "-e", script])).code).toBe(3);
    const [run] = JSON.parse((await pith(there, ["runs", "--json"])).out);
    expect(run).toMatchObject({ status: "ended", exitCode: 3 });
    expect((await pith(there, ["logs", run.id])).out).toContain("from far");

    const projects = JSON.parse((await pith(there, ["projects", "--json"])).out);
    expect(projects).toHaveLength(2);
    const [other] = projects.filter(({ root }: { root: string }) => root === here.cwd);
    const refused = await pith(there, ["projects", "rm", other.project_id]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--yes") });
    const removed = await pith(there, ["projects", "rm", other.project_id, "--yes", "--json"]);
    expect(JSON.parse(removed.out)).toMatchObject({ manifests: 1, files: 1, blobs: 0 });
    expect((await pith(there, ["projects"])).out).toContain(there.cwd);
  });

  it("keeps large logs and snapshots in an object store, where another machine reads them", async () => {
    const random = randomBytes(200_000).toString("hex");
    const here = { cwd: makeFolder({ "a.txt": "small\n" }), data: makeFolder() };
    const git = folderAt(here.cwd);
    git.git("init", "-q");
    git.git("add", "-A");
    git.git("commit", "-q", "-m", "first");
    git.write("large.txt", random);
    const there = { cwd: here.cwd, data: makeFolder() };
    const objects = makeFolder();
    const settings = {
      PITH_STORE_OBJECTS: pathToFileURL(objects).href,
      PITH_STORE_OBJECT_BYTES: "20000",
      PITH_STORE_SECRET_KEY: "hidden-word",
    };
    const script = "for (let i = 0; i < 9000; i++) console.log(i, 'a line of ordinary output')";
    const command = ["--", "node", "-e", `${script}; console.log(process.env.PITH_STORE_SECRET_KEY)`];
    // Nobody else runs jobs, so this machine does, from the snapshot that it has sent.
    expect((await pith(here, ["exec", "--pool", ...command], database.url, settings)).code).toBe(0);
    expect((await pith(here, ["exec", ...command], database.url, settings)).code).toBe(0);
    expect(readdirSync(objects).toSorted()).toEqual(["log", "snapshot"]);
    const runs = JSON.parse((await pith(there, ["runs", "--json"])).out);
    expect(runs).toHaveLength(2);
    for (const { id } of runs) {
      const found = await pith(there, ["logs", id, "--grep", "^8999 "], database.url, settings);
      expect(found.out).toContain("8999 a line of ordinary output");
      expect(found.out).not.toContain("hidden-word");
    }
    const lost = await pith(there, ["logs", runs[0].id, "--grep", "^8999 "]);
    expect(lost).toMatchObject({ code: 1, err: expect.stringContaining("PITH_STORE_OBJECTS") });
    expect((await pith(there, ["store"], database.url, settings)).out).toContain(
      `large logs and snapshots in ${pathToFileURL(objects).href}`,
    );
  });

  it("also lists and removes projects of the local store", async () => {
    const machine = { cwd: makeFolder({ "a.ts": "export const one = 1;\n" }), data: makeFolder() };
    expect((await pith(machine, ["projects"], "")).out).toContain("No projects yet");
    await pith(machine, ["index"], "");
    const [project] = JSON.parse((await pith(machine, ["projects", "--json"], "")).out);
    expect(project).toMatchObject({ root: machine.cwd, files: 1, refs: ["live"] });
    expect(await pith(machine, ["projects", "rm", "nosuch", "--yes"], "")).toMatchObject({ code: 1 });
    const removed = await pith(machine, ["projects", "rm", project.project_id, "--yes"], "");
    expect(removed.out).toBe(`removed ${machine.cwd}: 1 refs, 1 files, 1 blobs that no other project uses\n`);
    expect(JSON.parse((await pith(machine, ["projects", "--json"], "")).out)).toEqual([]);
  });

  it("shares a run that outlives its server, once it has ended", async () => {
    const here = { cwd: makeFolder(), data: makeFolder() };
    const there = { cwd: here.cwd, data: makeFolder() };
    const client = await connect(here.cwd, { env: { PITH_STORE: database.url, PITH_DATA_DIR: here.data } });
    const arguments_ = {
      action: "exec",
      tool: "node -e \"console.log('outlived')\"",
      response_format: "json",
    };
    const reply = await client.callTool({ name: "build", arguments: arguments_ });
    const { runId } = JSON.parse(textOf(reply));
    await expect
      .poll(async () => (await pith(there, ["logs", runId])).out, { timeout: 120_000, interval: 500 })
      .toContain("outlived");
  });

  it("shows jobs, runs and the pool to a reader, whose own runs stay on the machine", async () => {
    const machine = { cwd: makeFolder(), data: makeFolder() };
    const login = `reads_${randomId(8)}`;
    await pith(machine, ["store", "migrate"]);
    await runSql(database.url, rolesSql(), `CREATE ROLE ${login} LOGIN PASSWORD 'pw' IN ROLE pith_reader`);
    onTestFinished(async () => void (await runSql(database.url, `DROP ROLE ${login}`)));
    const asReader = (...args: string[]) => pith(machine, args, database.urlAs(login, "pw"));
    expect(await asReader("jobs", "--json")).toMatchObject({ code: 0, err: "" });
    expect(await asReader("workers", "--json")).toMatchObject({ code: 0, err: "" });
    expect(await asReader("exec", "--", "node", "-p", "40+2")).toMatchObject({ code: 0, err: "" });
    const [own] = JSON.parse((await asReader("runs", "--json")).out);
    expect(own).toMatchObject({ exitCode: 0 });
    const refused = await asReader("jobs", "cancel", "r000000");
    expect(refused.err).toContain("No job");
    const pooled = await asReader("exec", "--pool", "--", "node", "-v");
    expect(pooled).toMatchObject({ code: 1, err: expect.stringContaining("permission denied for ") });
  });

  it("shows the address of the store without its password in doctor, store, config and errors", async () => {
    const machine = { cwd: makeFolder(), data: makeFolder() };
    const { password, host } = new URL(database.url);
    const doctor = await pith(machine, ["doctor", "--json"]);
    const { checks } = JSON.parse(doctor.out);
    expect(checks).toContainEqual({
      name: "team store",
      ok: true,
      detail: expect.stringMatching(new RegExp(`^${host}/test_\\w+, schema \\d+, role owner \\(pith\\)$`)),
    });
    const away = "postgres://pith:hidden-word@127.0.0.1:1/team";
    const lost = await pith(machine, ["store"], away);
    expect(lost).toMatchObject({ code: 1, out: expect.stringContaining("127.0.0.1:1/team") });
    const config = await pith(machine, ["config"]);
    const roles = await pith(machine, ["store", "roles"], "");
    expect(roles.out).toContain("GRANT SELECT ON pith.record TO pith_reader;");
    for (const { out, err } of [doctor, lost, config, roles]) {
      expect(out + err).not.toContain(password);
      expect(out + err).not.toContain("hidden-word");
    }
  });
});
