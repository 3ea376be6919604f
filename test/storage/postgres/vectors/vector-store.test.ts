import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLogger } from "../../../../src/kernel/logger.ts";
import { normalise, quantise, similarity } from "../../../../src/semantic/quantise.ts";
import type { VectorStore } from "../../../../src/semantic/store.ts";
import type { Queries } from "../../../../src/storage/postgres/database.ts";
import { openPostgres, type Postgres } from "../../../../src/storage/postgres/database.ts";
import { createTeam } from "../../../../src/storage/postgres/team.ts";
import {
  openPostgresVectorStore,
  type VectorDatabase,
} from "../../../../src/storage/postgres/vectors/vector-store.ts";
import { VECTOR_TABLES } from "../../../../src/storage/postgres/vectors/schema.ts";
import { testVectorStore } from "../../../conformance/vector-store.ts";
import { numbers } from "../../../support/numbers.ts";
import { freshStore, runSql, type TestDatabase } from "../../../support/postgres.ts";
import { wantedVersion } from "../../../support/postgres-process.ts";

const TABLES = "pith.slice, pith.vector_space, pith.vector, pith.vector_claim";

/** An in-process PostgreSQL that ships pgvector, which a plain server lacks. */
let pglite: PGlite;
/** The server that a test run requests by its version has no part in what is tested in the process. */
const isOtherServer = wantedVersion() !== "";
beforeAll(async () => {
  if (isOtherServer) return;
  pglite = await PGlite.create({ extensions: { vector } });
  await pglite.exec(`CREATE SCHEMA pith; ${VECTOR_TABLES}`);
});
afterAll(() => (isOtherServer ? undefined : pglite.close()));

function queriesOf(client: Pick<PGlite, "query">): Queries {
  return {
    query: async (sql, values = []) => (await client.query<Record<string, unknown>>(sql, [...values])).rows,
  };
}

const inProcess: VectorDatabase = {
  query: (sql, values) => queriesOf(pglite).query(sql, values),
  transaction: (work) => pglite.transaction((transaction) => work(queriesOf(transaction))),
};

const MODEL = { provider: "ollama", model: "toy", dimensions: 0, documentPrefix: "", queryPrefix: "" };

describe.skipIf(isOtherServer)("without the extension enabled", () => {
  it("explains what to do, and leaves the search to the server", async () => {
    const store = await openPostgresVectorStore(inProcess, "team");
    expect("nearest" in store).toBe(false);
    expect(store.note).toContain("CREATE EXTENSION vector");
    const { spaceId } = await store.space(MODEL, 1);
    await store.save(spaceId, [{ chunk: "early", vector: quantise(Float32Array.of(1, -2, 3)) }]);
    await pglite.exec("CREATE EXTENSION vector");
    const later = await openPostgresVectorStore(inProcess, "team");
    expect(later.note).toBeUndefined();
    const found = await later.nearest?.(spaceId, normalise(Float32Array.of(1, -2, 3)), { limit: 5 });
    expect(found).toEqual([{ chunk: "early", similarity: expect.closeTo(1, 2) }]);
  });
});

describe.skipIf(isOtherServer)("with pgvector", () => {
  testVectorStore("PostgreSQL with pgvector", async (test) => {
    await pglite.exec(`TRUNCATE ${TABLES} CASCADE`);
    await test(() => openPostgresVectorStore(inProcess, "team"));
  });

  it("finds the nearest vectors of a space, among all chunks or some of them", async () => {
    await pglite.exec(`TRUNCATE ${TABLES} CASCADE`);
    const store = await openPostgresVectorStore(inProcess, "team");
    const { spaceId } = await store.space(MODEL, 1);
    const other = await store.space({ ...MODEL, model: "other" }, 1);
    const random = numbers(5);
    const make = () => normalise(Float32Array.from({ length: 96 }, () => random() - 0.5));
    const stored = Array.from({ length: 400 }, (_, i) => ({ chunk: `c${i}`, vector: quantise(make()) }));
    await store.save(spaceId, stored);
    await store.save(other.spaceId, [{ chunk: "x", vector: quantise(make()) }]);
    const query = make();
    const best = stored
      .map(({ chunk, vector: { codes, scale } }) => ({ chunk, similarity: similarity(query, codes, scale) }))
      .sort((a, b) => b.similarity - a.similarity);
    const found = (await store.nearest?.(spaceId, query, { limit: 10 })) ?? [];
    expect(found.map(({ chunk }) => chunk)).toEqual(best.slice(0, 10).map(({ chunk }) => chunk));
    expect(found[0]?.similarity).toBeCloseTo(best[0]?.similarity ?? 0, 2);
    const among = stored.slice(0, 7).map(({ chunk }) => chunk);
    const some = (await store.nearest?.(spaceId, query, { limit: 10, among })) ?? [];
    expect(new Set(some.map(({ chunk }) => chunk))).toEqual(new Set(among));
  });
});

describe("a plain server", () => {
  let database: TestDatabase;
  let connections: Postgres[] = [];
  beforeAll(async () => {
    database = await freshStore();
  });
  afterAll(() => database.drop());

  const withStore = async (test: (open: () => Promise<VectorStore>) => Promise<void>): Promise<void> => {
    await runSql(database.url, `TRUNCATE ${TABLES} CASCADE`);
    try {
      await test(async () => {
        const connection = await openPostgres(database.url);
        connections.push(connection);
        return openPostgresVectorStore(connection, "team");
      });
    } finally {
      await Promise.all(connections.map((connection) => connection.close()));
      connections = [];
    }
  };

  testVectorStore("PostgreSQL without pgvector", withStore);

  it("stores a team's vectors, and uses this machine's own while it is unavailable", async () => {
    const folder = mkdtempSync(join(tmpdir(), "pith-team-"));
    const logger = createLogger("error", () => undefined);
    const open = (url: string) =>
      createTeam({ url, dataFolder: folder, logger, repositoryName: () => Promise.resolve(undefined) });
    const away = new URL(database.url);
    away.pathname = "/nowhere";
    const teams = [open(database.url), open(away.href)];
    try {
      const [here, local] = await Promise.all(
        teams.map((team) => team.openVectorStore(join(folder, "index.db"))),
      );
      expect(here?.name).toBe(new URL(database.url).pathname.slice(1));
      expect(local).toMatchObject({
        name: "index.db",
        note: expect.stringContaining("The team store is unavailable"),
      });
      await here?.space(MODEL, 1);
      expect(await local?.spaces()).toEqual([]);
      await local?.close();
    } finally {
      for (const team of teams) await team.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("reports that it has no pgvector", () =>
    withStore(async (open) => {
      const store = await open();
      const [row] = await (connections[0] as Postgres).query(
        "SELECT count(*) AS count FROM pg_available_extensions WHERE name = 'vector'",
      );
      const word = Number(row?.["count"]) === 0 ? "no vector extension" : "CREATE EXTENSION vector";
      expect(store.note).toContain(word);
      expect("nearest" in store).toBe(false);
    }));
});
