import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import { randomId } from "../../../src/kernel/ids.ts";
import { openPostgres, type Postgres } from "../../../src/storage/postgres/database.ts";
import { MIGRATIONS, migrate, schemaVersion } from "../../../src/storage/postgres/migrate.ts";
import { passwordFor } from "../../../src/storage/postgres/password-file.ts";
import { parseStoreUrl, showPlace, withPassword } from "../../../src/storage/postgres/store-url.ts";
import { makeFolder } from "../../support/folder.ts";
import { wantedVersion } from "../../support/postgres-process.ts";
import { freshDatabase, runSql, type TestDatabase } from "../../support/postgres.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

async function withStore<T>(work: (store: Postgres) => Promise<T>, url = database.url): Promise<T> {
  const store = await openPostgres(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function failure(work: Promise<unknown>): Promise<PithError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PithError);
  return error as PithError;
}

describe("migrations", () => {
  it("are applied once, however many servers start together", async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgres(database.url)));
    await Promise.all(stores.map((store) => migrate(store)));
    expect(await schemaVersion(stores[0] as Postgres)).toBe(MIGRATIONS.length);
    await Promise.all(stores.map((store) => store.close()));
    const [rows] = await runSql(database.url, "SELECT version FROM pith.migration ORDER BY version");
    expect(rows?.rows.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, index) => index + 1));
  });

  it("continue from the version of the store", () =>
    withStore(async (store) => {
      await migrate(store, [...MIGRATIONS, "CREATE TABLE pith.later (x integer)"]);
      await store.query("SELECT x FROM pith.later");
      const newer = await failure(migrate(store));
      expect(newer.code).toBe("index_incompatible");
      expect(newer.message).toContain("newer Pith");
      expect(newer.data["schema_version"]).toBe(MIGRATIONS.length + 1);
      await runSql(
        database.url,
        "DROP TABLE pith.later",
        `DELETE FROM pith.migration WHERE version > ${MIGRATIONS.length}`,
      );
    }));

  it("leave nothing behind if one fails", () =>
    withStore(async (store) => {
      const broken = "CREATE TABLE pith.half (x integer); SELECT no_such_function()";
      await failure(migrate(store, [...MIGRATIONS, broken]));
      expect(await schemaVersion(store)).toBe(MIGRATIONS.length);
      expect(await store.query("SELECT to_regclass('pith.half') AS half")).toEqual([{ half: null }]);
    }));

  it("tell a role that may not apply them who can", async () => {
    const empty = await freshDatabase();
    const role = `visitor_${randomId(10)}`;
    await runSql(empty.url, `CREATE ROLE ${role} LOGIN PASSWORD 'pw'`);
    try {
      await withStore(
        async (store) => {
          const refused = await failure(migrate(store));
          expect(refused.code).toBe("permission_denied");
          expect(refused.suggestion).toContain("pith store migrate");
        },
        empty.urlAs(role, "pw"),
      );
    } finally {
      await runSql(empty.url, `DROP ROLE ${role}`);
      await empty.drop();
    }
  });
});

describe("a connection", () => {
  it("uses the PostgreSQL version that this test run requests", () =>
    withStore(async (store) => {
      const [row] = await store.query("SHOW server_version");
      const major = String(row?.["server_version"]).split(".")[0];
      expect(Number(major)).toBeGreaterThanOrEqual(14);
      if (wantedVersion() !== "") expect(major).toBe(wantedVersion());
    }));

  it("sets its application name and a statement timeout", () =>
    withStore(async (store) => {
      const [row] = await store.query(
        "SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS limit",
      );
      expect(row).toEqual({ name: "pith", limit: "20s" });
    }));

  it("rolls back a transaction that fails, and works again after the server closed it", () =>
    withStore(async (store) => {
      await store.query("CREATE TABLE IF NOT EXISTS scratch (x integer)");
      const failed = store.transaction(async (queries) => {
        await queries.query("INSERT INTO scratch VALUES (1)");
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      expect(await store.query("SELECT x FROM scratch")).toEqual([]);
      const [own] = await store.query("SELECT pg_backend_pid() AS pid");
      await runSql(database.url, `SELECT pg_terminate_backend(${Number(own?.["pid"])})`);
      await expect
        .poll(() => store.query("SELECT 1 AS one").catch(() => undefined), { timeout: 30_000 })
        .toEqual([{ one: 1 }]);
    }));

  it("reports the place and the reason if it fails, and never the password", async () => {
    const { port } = new URL(database.url);
    const cases = [
      [database.urlAs("no_such_user", "wrong-word"), "store_unavailable", "no_such_user"],
      ["postgres://pith:wrong-word@127.0.0.1:1/team", "store_unavailable", "ECONNREFUSED"],
      [
        `postgres://pith:wrong-word@no-such-host.invalid:${port}/team`,
        "store_unavailable",
        "no-such-host.invalid",
      ],
      ["mysql://pith:wrong-word@host/team", "config_invalid", "postgres://"],
      ["postgres://pith:wrong-word%zz@host/team", "config_invalid", "postgres://"],
      ["wrong-word", "config_invalid", "postgres://"],
    ] as const;
    for (const [url, code, text] of cases) {
      const error = await failure(openPostgres(url));
      expect([error.code, url]).toEqual([code, url]);
      expect(error.message).toContain(text);
      expect(`${error.message} ${JSON.stringify(error.data)} ${String(error.stack)}`).not.toContain(
        "wrong-word",
      );
    }
  });
});

describe("a password", () => {
  it("is found where PostgreSQL's own clients look, if nobody else may read the file", async () => {
    const { port, password, username, pathname } = new URL(database.url);
    const folder = makeFolder({
      pass: `# comment\n127.0.0.1:1:*:*:no\n*:${port}:${pathname.slice(1)}:${username}:${password}\n`,
    });
    const file = join(folder, "pass");
    const url = new URL(database.urlAs(username, ""));
    url.searchParams.set("passfile", file);
    chmodSync(file, 0o644);
    const refused = await failure(openPostgres(url.href));
    expect(refused).toMatchObject({ code: "store_unavailable" });
    expect(refused.suggestion).toContain("chmod 600");
    chmodSync(file, 0o600);
    await withStore(
      async (store) => expect(await store.query("SELECT 1 AS one")).toEqual([{ one: 1 }]),
      url.href,
    );
  });

  it("may contain any character", async () => {
    const file = join(makeFolder({ pass: "h:5432:d:u:a\\:b\\\\c %/?#\n" }), "pass");
    chmodSync(file, 0o600);
    const place = { host: "h", port: 5432, database: "d", user: "u" };
    const password = await passwordFor(place, file);
    expect(password).toBe("a:b\\c %/?#");
    expect(await passwordFor({ ...place, user: "other" }, file)).toBeUndefined();
    const { connectionString } = parseStoreUrl("postgres://u@h/d");
    expect(decodeURIComponent(new URL(withPassword(connectionString, password ?? "")).password)).toBe(
      password,
    );
  });
});

describe("a store's URL", () => {
  it("is shown without its secrets", () => {
    const shown = (url: string) => showPlace(parseStoreUrl(url).place);
    expect(shown("postgres://a:b%20c@db.example.org/team")).toBe("db.example.org/team");
    expect(shown("postgresql://a:b@[::1]:6543/team?sslmode=require")).toBe("[::1]:6543/team");
    expect(shown("postgres://a@db")).toBe("db/a");
    expect(shown("postgres:///team?host=/var/run/postgresql")).toBe("/var/run/postgresql/team");
  });
});

describe("a connection that breaks", () => {
  it("between two steps of a transaction fails only the next step", () =>
    withStore(async (store) => {
      const broken = store.transaction(async (queries) => {
        const [row] = await queries.query("SELECT pg_backend_pid() AS pid");
        await runSql(database.url, `SELECT pg_terminate_backend(${Number(row?.["pid"])})`);
        // Repeats until this process has noticed the end of the connection.
        for (;;) await queries.query("SELECT 1");
      });
      expect((await failure(broken)).code).toBe("store_unavailable");
      expect(await store.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    }));
});
