/**
 * Compares the team's store with the embedded one through the interface that the index uses, alternating both. Usage: npm run bench --
 * store. The server is on this machine and writes durably; a network would add its round trip to each call.
 */
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LogReader } from "../src/logs/log-reader.ts";
import { LogWriter } from "../src/logs/log-writer.ts";
import type { IndexStore, Publication } from "../src/index/store/store.ts";
import { openPostgres } from "../src/storage/postgres/database.ts";
import { createPostgresIndexStore } from "../src/storage/postgres/index/index-store.ts";
import { migrate } from "../src/storage/postgres/migrate.ts";
import { createSharedRuns } from "../src/storage/postgres/runs/shared-runs.ts";
import { openIndexStore } from "../src/storage/sqlite/index-store.ts";
import { startPostgres } from "../test/support/postgres-process.ts";
import { report, sampleOf, type Figure } from "./report/section.ts";

/** The median size of the records of this repository. */
const FEATURE_BYTES = 3_000;
const OUTLINE_BYTES = 1_200;
/** The number of records that the index publishes at a time. */
const BATCH = 256;
const ROUNDS = 12;
const FILES = BATCH * ROUNDS;
const LOG_LINES = 100_000;

const folder = mkdtempSync(join(tmpdir(), "pith-bench-store-"));
const server = await startPostgres({ durable: true });
const connection = await openPostgres(server.url);
try {
  await migrate(connection);
  const team = createPostgresIndexStore(connection, { id: "bench", host: "bench" });
  const embedded = await openIndexStore(join(folder, "index.db"));
  await measure(team, embedded);
  await embedded.close();
} finally {
  await connection.close();
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(team: IndexStore, embedded: IndexStore): Promise<void> {
  const both = [team, embedded] as const;
  const ids = await Promise.all(
    both.map(async (store) => (await store.project("/bench", "bench")).projectId),
  );
  const publish = (round: number) => (store: IndexStore, place: number) =>
    store.publish(publication(ids[place] ?? "", round));
  const keys = Array.from({ length: FILES }, (_, file) => keyOf(file));
  const turns = (round: number): readonly string[] => keys.slice(round * BATCH, (round + 1) * BATCH);
  const figures = [
    await compare("publish a blob", both, publish, BATCH),
    await compare("find a blob known", both, (round) => (store) => store.known(turns(round)), BATCH),
    await compare("read a blob's record", both, (round) => (store) => store.features(turns(round)), BATCH),
    await compare("read an outline", both, (round) => (store) => store.outline(keyOf(round)), 1),
    await compare(
      `read the manifest of ${FILES.toLocaleString("en-US")} files`,
      both,
      () => (store, place) => store.manifest(ids[place] ?? "", "live"),
      1,
    ),
    await compare(
      "publish one edited file",
      both,
      (round) => (store, place) => edit(store, ids[place] ?? "", round),
      1,
    ),
    await diskUse(),
    await sendLog(),
  ];
  report({
    title: "The team's store",
    about: `The index in PostgreSQL on this machine beside the embedded store, through the same port. Records of ${FEATURE_BYTES + OUTLINE_BYTES} bytes, ${BATCH} a call; the cost is that of one.`,
    figures,
  });
}

/** Measures the disk space of blobs and manifest, including database indexes. */
async function diskUse(): Promise<Figure> {
  const [row] = await connection.query(
    "SELECT pg_total_relation_size('pith.record') + pg_total_relation_size('pith.manifest_entry') AS bytes",
  );
  const files = ["index.db", "index.db-wal"].map((name) => statSync(join(folder, name)).size);
  return {
    what: `disk for ${FILES.toLocaleString("en-US")} blobs and their paths`,
    unit: "MB",
    pith: sampleOf([Number(row?.["bytes"]) / 1e6]),
    other: { name: "embedded", sample: sampleOf([files.reduce((sum, size) => sum + size, 0) / 1e6]) },
  };
}

/** Measures sending a run's log to the store, compared with writing it to the local disk. */
async function sendLog(): Promise<Figure> {
  const runs = createSharedRuns(connection, { id: "bench", host: "bench" });
  const line = Buffer.from(`${"a line of a build that says little ".repeat(2)}\n`);
  const times = { send: [] as number[], write: [] as number[] };
  for (let round = 0; round < 5; round++) {
    const id = `r00000${round}`;
    const owner = { pid: 1, identity: "1" };
    const run = { id, workspace: "/w", command: "make", cwd: "/w", key: "k", startedAt: Date.now(), owner };
    await runs.add(run, "bench");
    const base = join(folder, id);
    times.write.push(
      await timed(async () => {
        const writer = await LogWriter.create(base);
        for (let at = 0; at < LOG_LINES; at++) await writer.write("stdout", line);
        await writer.end();
      }),
    );
    const log = await LogReader.open(base);
    if (log === undefined) throw new Error("no log");
    times.send.push(await timed(() => runs.sendLog(id, log)));
    await log.close();
  }
  return {
    what: `send a log of ${LOG_LINES.toLocaleString("en-US")} lines`,
    unit: "ms",
    pith: sampleOf(times.send),
    other: { name: "writing it to disk", sample: sampleOf(times.write) },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

type Step = (round: number) => (store: IndexStore, place: number) => Promise<unknown>;

async function compare(
  what: string,
  stores: readonly [IndexStore, IndexStore],
  step: Step,
  amount: number,
): Promise<Figure> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++)
    for (const place of [0, 1] as const) {
      times[place].push((await timed(() => step(round)(stores[place], place))) / amount);
    }
  const [pith, other] = times;
  return {
    what,
    unit: "ms",
    pith: sampleOf(pith),
    other: { name: "embedded", sample: sampleOf(other) },
  };
}

function publication(projectId: string, round: number): Publication {
  const files = Array.from({ length: BATCH }, (_, file) => round * BATCH + file);
  return {
    projectId,
    ref: "live",
    records: files.map((file) => ({ key: keyOf(file), record: recordOf(file) })),
    changed: files.map((file) => ({
      path: `src/folder${file % 40}/file${file}.ts`,
      key: keyOf(file),
      signature: { size: 4_000, modified: 1.5e12, changed: 1.5e12, inode: file, taken: 1.5e12 },
    })),
    removed: [],
    at: Date.now(),
  };
}

function edit(store: IndexStore, projectId: string, round: number): Promise<void> {
  const key = `edited${round}`;
  const records = [{ key, record: recordOf(round) }];
  const changed = [{ path: "src/folder1/file1.ts", key }];
  return store.publish({ projectId, ref: "live", records, changed, removed: [], at: Date.now() });
}

function keyOf(file: number): string {
  return `${file.toString(16).padStart(40, "0")}.typescript`;
}

/** Generates bytes that compress about as well as real records. */
function recordOf(seed: number) {
  const bytes = (length: number): Buffer => {
    const buffer = Buffer.alloc(length);
    for (let at = 0; at < length; at++) buffer[at] = (at * (seed % 97)) % 61;
    return buffer;
  };
  return {
    chunks: 3,
    features: bytes(FEATURE_BYTES),
    outline: bytes(OUTLINE_BYTES),
    uses: bytes(OUTLINE_BYTES),
  };
}
