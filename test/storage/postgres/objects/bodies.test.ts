import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PithError } from "../../../../src/kernel/errors.ts";
import type { LogChunk } from "../../../../src/model/job.ts";
import { ChunkWriter } from "../../../../src/pool/chunk-writer.ts";
import type { Claim } from "../../../../src/pool/queue.ts";
import { openObjectStore } from "../../../../src/storage/objects/open-object-store.ts";
import type { ObjectStore } from "../../../../src/storage/objects/object-store.ts";
import { openPostgres, type Postgres } from "../../../../src/storage/postgres/database.ts";
import { type Bodies, createBodies } from "../../../../src/storage/postgres/objects/bodies.ts";
import { createPackStore } from "../../../../src/storage/postgres/queue/packs.ts";
import { createJobQueue } from "../../../../src/storage/postgres/queue/queue.ts";
import { createSharedRuns } from "../../../../src/storage/postgres/runs/shared-runs.ts";
import { newRun } from "../../../conformance/run-store.ts";
import { JOB_SPEC, PASSED } from "../../../support/job-queue.ts";
import { S3_BUCKET, S3_CREDENTIALS, startS3 } from "../../../support/s3-server.ts";
import { useStoreLogins } from "../../../support/store-logins.ts";

const logins = useStoreLogins({ reader: "reader", ada: "developer", bob: "developer", worker: "worker" });
type Login = "reader" | "ada" | "bob" | "worker";
const MIN_BYTES = 100_000;
const WORKER = { id: "w", session: "s", kind: "worker", slots: 9, labels: [], leaseMs: 3_600_000 } as const;
const LINE = "an ordinary line of build output, about eighty bytes, which a compiler printed\n";

let owner: Postgres;
let folder: string;
let s3: ObjectStore;
let files: ObjectStore;
beforeAll(async () => {
  owner = await openPostgres(logins().database.url);
  folder = mkdtempSync(join(tmpdir(), "pith-objects-"));
  const server = await startS3(join(folder, "s3"));
  const endpoint = encodeURIComponent(server.endpoint);
  s3 = openObjectStore(`s3://${S3_BUCKET}/pith?endpoint=${endpoint}`, S3_CREDENTIALS);
  files = openObjectStore(pathToFileURL(join(folder, "files")).href, S3_CREDENTIALS);
  return async () => {
    await server.close();
    await owner.close();
    rmSync(folder, { recursive: true });
  };
});
beforeEach(async () => {
  await owner.query("TRUNCATE pith.run, pith.run_id, pith.job, pith.job_log, pith.pack, pith.object CASCADE");
  rmSync(join(folder, "files"), { recursive: true, force: true });
  mkdirSync(join(folder, "files"));
});

const failures: PithError[] = [];
function bodiesOf(login: Login, store: ObjectStore = files): Bodies {
  const onFailure = (error: PithError) => void failures.push(error);
  return createBodies(logins().as[login], { store, minBytes: MIN_BYTES, onFailure });
}

function objectFiles(): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((one) => one.isFile() && one.parentPath.startsWith(join(folder, "files")))
    .map((one) => join(one.parentPath, one.name));
}

async function objects(): Promise<Record<string, unknown>[]> {
  return owner.query("SELECT kind, state FROM pith.object ORDER BY changed_at, key");
}

/** Starts a job of ada on the worker. */
async function startJob(id: string): Promise<Claim> {
  const origin = { id: `folder/${logins().names.ada}`, host: "host" };
  const run = { ...newRun({ owner: { pid: 0, identity: "pool" } }), id };
  await createSharedRuns(logins().as.ada, origin).add(run, "family");
  const spec = { id, workspace: "/w", submitter: "ada", labels: [], spec: JOB_SPEC };
  await createJobQueue(logins().as.ada).submit(spec);
  const worker = createJobQueue(logins().as.worker);
  await worker.register(WORKER, 3);
  const [claim] = await worker.claim({ worker: WORKER, count: 1, except: [] });
  if (claim === undefined) throw new Error("no job");
  return claim;
}

function chunksOf(lines: number): LogChunk[] {
  const writer = new ChunkWriter();
  for (let at = 0; at < lines; at++)
    writer.write(at % 7 === 0 ? "stderr" : "stdout", Buffer.from(`${at} ${LINE}`));
  writer.end();
  return writer.take();
}

async function textOf(login: Login, claim: Claim, bodies: Bodies): Promise<string> {
  const pieces: Buffer[] = [];
  const query = { id: claim.id, token: claim.token, stream: "both", fromLine: 1 } as const;
  for await (const { bytes } of createJobQueue(logins().as[login], bodies).chunks(query)) pieces.push(bytes);
  return Buffer.concat(pieces).toString();
}

function packOf(commit: string, bytes: Buffer, isBase = false) {
  return {
    commit,
    needs: [],
    project: "p",
    isBase,
    bytes: (async function* () {
      for (let at = 0; at < bytes.length; at += 50_000)
        yield await Promise.resolve(bytes.subarray(at, at + 50_000));
    })(),
  };
}

async function readPack(login: Login, commit: string, bodies: Bodies): Promise<Buffer | undefined> {
  const pack = await createPackStore(logins().as[login], bodies).get(commit);
  if (pack === undefined) return undefined;
  const parts: Buffer[] = [];
  for await (const part of pack.bytes()) parts.push(part);
  return Buffer.concat(parts);
}

const PACK = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 7919) % 256));

describe.each([
  ["s3", () => s3],
  ["a folder", () => files],
] as const)("logs and packs over a size are in %s", (_name, store) => {
  it("and are the same when they are read", async () => {
    const claim = await startJob("r000001");
    const queue = createJobQueue(logins().as.worker, bodiesOf("worker", store()));
    const chunks = chunksOf(10_000);
    expect(await queue.append(claim, chunks)).toBe(true);
    expect(await queue.finish(claim, PASSED, [])).toBe(true);
    const [placed] = await owner.query(
      `SELECT count(*) FILTER (WHERE object IS NULL AND bytes IS NOT NULL) > 0 AS here,
         count(*) FILTER (WHERE object IS NOT NULL AND bytes IS NULL) > 0 AS there,
         sum(octet_length(bytes)) <= ${MIN_BYTES} AS small FROM pith.job_log`,
    );
    expect(placed).toEqual({ here: true, there: true, small: true });
    const whole = Buffer.concat(chunks.map(({ bytes }) => bytes)).toString();
    expect(await textOf("reader", claim, bodiesOf("reader", store()))).toBe(whole);
    expect(await createJobQueue(logins().as.ada).totals("r000001")).toMatchObject({
      bytes: whole.length,
      lines: 10_000,
    });

    await createPackStore(logins().as.ada, bodiesOf("ada", store())).put(packOf("c1", PACK));
    expect((await readPack("worker", "c1", bodiesOf("worker", store())))?.equals(PACK)).toBe(true);
    expect(await objects()).toEqual([
      { kind: "log", state: "used" },
      { kind: "snapshot", state: "used" },
    ]);
  });
});

describe("an object", () => {
  it("that is missing, damaged or unreachable is an error that names it, and never a gap", async () => {
    await createPackStore(logins().as.ada, bodiesOf("ada")).put(packOf("c1", PACK));
    const [path = ""] = objectFiles();
    const stored = readFileSync(path);
    const read = () => readPack("worker", "c1", bodiesOf("worker"));
    for (const damaged of [
      stored.subarray(0, 1_000),
      stored.subarray(0, 5),
      Buffer.from(stored).fill(1, 99, 100),
    ]) {
      writeFileSync(path, damaged);
      await expect(read()).rejects.toMatchObject({
        code: "result_not_found",
        message: expect.stringMatching(/^Object snapshot\/.* in file:\/\/.* is damaged$/),
      });
    }
    rmSync(path);
    await expect(read()).rejects.toMatchObject({ message: expect.stringMatching(/is missing in file:\/\//) });
    const away = openObjectStore("s3://team/pith?endpoint=http://127.0.0.1:2", S3_CREDENTIALS);
    await expect(readPack("worker", "c1", bodiesOf("worker", away))).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("s3://team/pith/: connect ECONNREFUSED"),
    });
    await expect(readPack("worker", "c1", createBodies(logins().as.worker))).rejects.toMatchObject({
      code: "config_invalid",
      suggestion: expect.stringContaining("PITH_STORE_OBJECTS"),
    });
    writeFileSync(path, stored);
    expect((await read())?.equals(PACK)).toBe(true);
  });

  it("cannot be read by those who may not read the pack, even with the object store at hand", async () => {
    await createPackStore(logins().as.ada, bodiesOf("ada")).put(packOf("c1", PACK));
    const [row] = await owner.query("SELECT key FROM pith.object");
    const key = String(row?.["key"]);
    const [path = ""] = objectFiles();
    expect(readFileSync(path).includes(PACK.subarray(0, 64))).toBe(false);
    for (const login of ["bob", "reader"] as const)
      await expect(bodiesOf(login).get(key)).rejects.toMatchObject({ code: "result_not_found" });
    expect(await bodiesOf("ada").get(key)).toHaveLength(PACK.length);
    // Nor can it be made one's own by naming it in a pack.
    const stolen = logins().as.bob.transaction(async (queries) => {
      await queries.query(
        "INSERT INTO pith.pack (commit_id, needs, project, is_base, depth) VALUES ('mine', '{}', 'p', false, 1)",
      );
      await queries.query("INSERT INTO pith.pack_part (commit_id, seq, object) VALUES ('mine', 0, $1)", [
        key,
      ]);
    });
    await expect(stolen).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("is stored in the database while the object store cannot be reached", async () => {
    failures.length = 0;
    const away = openObjectStore("s3://team/pith?endpoint=http://127.0.0.1:2", S3_CREDENTIALS);
    await createPackStore(logins().as.ada, bodiesOf("ada", away)).put(packOf("c1", PACK));
    expect(failures).toMatchObject([{ code: "store_unavailable" }]);
    expect((await readPack("worker", "c1", createBodies(logins().as.worker)))?.equals(PACK)).toBe(true);
  });

  it("of two writers of the same pack is kept once, and the other is swept", async () => {
    const put = () => createPackStore(logins().as.ada, bodiesOf("ada")).put(packOf("c1", PACK));
    await Promise.all([put(), put(), put()]);
    expect((await objects()).filter(({ state }) => state === "used")).toHaveLength(1);
    // What is new may still be in use by a writer; a day later nobody writes it any more.
    await bodiesOf("bob").sweep();
    await owner.query("UPDATE pith.object SET changed_at = now() - interval '25 hours' WHERE state = 'new'");
    await bodiesOf("bob").sweep();
    expect(await objects()).toEqual([{ kind: "snapshot", state: "used" }]);
    expect(objectFiles()).toHaveLength(1);
    expect((await readPack("worker", "c1", bodiesOf("worker")))?.equals(PACK)).toBe(true);
  });

  it("of an upload that was killed is not visible, and is swept", async () => {
    const dying: ObjectStore = {
      ...files,
      async put(key, bytes) {
        await files.put(key, bytes);
        throw new Error("killed");
      },
    };
    const put = createPackStore(logins().as.ada, bodiesOf("ada", dying)).put(packOf("c1", PACK));
    await expect(put).rejects.toThrow("killed");
    expect(await readPack("worker", "c1", bodiesOf("worker"))).toBeUndefined();
    expect(objectFiles()).toHaveLength(1);
    await owner.query("UPDATE pith.object SET changed_at = now() - interval '25 hours'");
    await bodiesOf("ada").sweep();
    expect([objectFiles(), await objects()]).toEqual([[], []]);
  });

  it("goes when the run or the partition that names it goes", async () => {
    const claim = await startJob("r000001");
    const queue = createJobQueue(logins().as.worker, bodiesOf("worker"));
    expect(await queue.finish(claim, PASSED, chunksOf(10_000))).toBe(true);
    const other = await startJob("r000002");
    expect(await queue.finish(other, PASSED, chunksOf(10_000))).toBe(true);
    expect(objectFiles()).toHaveLength(2);
    await logins().as.ada.query("DELETE FROM pith.run WHERE id = 'r000001'");
    await bodiesOf("ada").sweep();
    expect(objectFiles()).toHaveLength(1);
    await owner.query("SELECT pith.drop_period(p) FROM pith.period p WHERE suffix = 'p0'");
    expect(await objects()).toEqual([{ kind: "log", state: "removed" }]);
    await bodiesOf("ada").sweep();
    expect([objectFiles(), await objects()]).toEqual([[], []]);
  });
});
