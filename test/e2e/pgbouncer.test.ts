import { expect, it, onTestFinished, vi } from "vitest";
import type { PoolNews } from "../../src/pool/queue.ts";
import { openPoolStore } from "../../src/storage/postgres/queue/pool-store.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { hasPgBouncer, startPgBouncer } from "../support/pgbouncer.ts";
import { callJson, connectServer, LONG_MS, pith, startWorker, until } from "../support/pool.ts";
import { freshStore, runSql } from "../support/postgres.ts";

vi.setConfig({ testTimeout: LONG_MS });

it.skipIf(!hasPgBouncer)(
  "a pool works through PgBouncer in transaction mode and receives notifications",
  async () => {
    const database = await freshStore();
    onTestFinished(() => database.drop());
    const folder = temporaryRepository({ "a.txt": "one\n" });
    onTestFinished(() => folder.dispose());
    const url = await startPgBouncer(database.url);
    const { queue } = await openPoolStore(url, 2);
    onTestFinished(() => queue.close());
    const news: PoolNews[] = [];
    const stop = await queue.listen((one) => news.push(one));
    await startWorker({ url, args: ["--id", "build-1"] });
    const client = await connectServer(folder.root, url);
    const answers = await Promise.all(
      [1, 2, 3].map((number) =>
        callJson(client, "run_command", { command: `sh -c 'cat a.txt; exit ${number}'` }),
      ),
    );
    expect(answers.map(({ exit_code, worker }) => [exit_code, worker])).toEqual([
      [1, "build-1"],
      [2, "build-1"],
      [3, "build-1"],
    ]);
    const id = String(answers[0]?.["job_id"]);
    await until(() => (news.some((one) => one.kind === "ended" && one.id === id) ? true : undefined));
    // The connection that listens goes to the server itself, on which the application can be seen.
    const [listening] = await runSql(
      database.url,
      "SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'",
    );
    expect(Number(listening?.rows[0]?.n)).toBeGreaterThanOrEqual(2);
    expect((await pith(url, ["jobs", "show", id])).stdout).toContain("on build-1");
    await stop();
  },
);
