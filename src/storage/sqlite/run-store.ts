import { randomInt } from "node:crypto";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { contentId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { removeLog } from "../../runs/log-files.ts";
import type { NewRun, Retention, RunEnding, RunOwner, RunStore, StoredRun } from "../../runs/store.ts";
import { openStore, type SqliteStore } from "./database.ts";
import { RUN_MIGRATIONS } from "./run-migrations.ts";
import { readRun, RUN_COLUMNS } from "./run-row.ts";

/** A clash is found when the row is added; a few tries are enough however many runs there are. */
const MAX_TRIES = 100;
/** How many ids of removed runs are remembered, to tell "removed" from "never heard of". */
const REMEMBERED = 5_000;

/** Opens the runs of a data folder: one database, and a folder of log files for each workspace. */
export async function openRunStore(folder: string): Promise<RunStore> {
  const store = await openStore(join(folder, "runs.db"), RUN_MIGRATIONS);
  return new SqliteRunStore(store, folder);
}

class SqliteRunStore implements RunStore {
  readonly #store: SqliteStore;
  readonly #folder: string;

  constructor(store: SqliteStore, folder: string) {
    this.#store = store;
    this.#folder = folder;
  }

  async add(run: NewRun): Promise<StoredRun> {
    await makePrivateFolder(this.#logFolder(run.workspace));
    const insert = this.#store.db.prepare(
      `INSERT INTO runs (id, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    );
    const { owner } = run;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const id = randomRunId();
      if (await this.wasRemoved(id)) continue;
      const { changes } = insert.run(
        id,
        run.workspace,
        run.command,
        run.tool ?? null,
        run.cwd,
        run.key,
        owner.pid,
        owner.identity,
        run.startedAt,
      );
      if (changes === 1) return { ...run, id, log: { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 } };
    }
    throw new PithError("store_unavailable", "No free run id was found");
  }

  async adopt(id: string, owner: RunOwner): Promise<void> {
    this.#store.db
      .prepare("UPDATE runs SET owner_pid = ?, owner_identity = ? WHERE id = ?")
      .run(owner.pid, owner.identity, id);
  }

  async finish(id: string, ending: RunEnding): Promise<void> {
    const { end, log, findings } = ending;
    this.#store.db
      .prepare(
        `UPDATE runs SET ended_at = ?, cause = ?, end_json = ?, lines = ?, stdout_lines = ?, stderr_lines = ?,
         bytes = ?, findings_json = ? WHERE id = ? AND ended_at IS NULL`,
      )
      .run(
        ending.endedAt,
        end.cause,
        JSON.stringify(end),
        log.lines,
        log.stdoutLines,
        log.stderrLines,
        log.bytes,
        findings === undefined ? null : JSON.stringify(findings),
        id,
      );
  }

  async get(id: string): Promise<StoredRun | undefined> {
    return this.#one(`SELECT ${RUN_COLUMNS}, findings_json FROM runs WHERE id = ?`, id);
  }

  async list(workspace: string, limit: number): Promise<StoredRun[]> {
    return this.#store.db
      .prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE workspace = ? ORDER BY seq DESC LIMIT ?`)
      .all(workspace, limit)
      .map(readRun);
  }

  async running(): Promise<StoredRun[]> {
    return this.#store.db
      .prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE ended_at IS NULL ORDER BY seq`)
      .all()
      .map(readRun);
  }

  async previous(run: StoredRun): Promise<StoredRun | undefined> {
    return this.#one(
      `SELECT ${RUN_COLUMNS}, findings_json FROM runs
       WHERE key = ? AND seq < (SELECT seq FROM runs WHERE id = ?) AND cause = 'exit' AND findings_json IS NOT NULL
       ORDER BY seq DESC LIMIT 1`,
      run.key,
      run.id,
    );
  }

  async retain(workspace: string, limits: Retention): Promise<void> {
    const removed = this.#store.transaction(() => {
      const ids = this.#beyond(workspace, limits);
      for (const id of ids) {
        this.#store.db.prepare("DELETE FROM runs WHERE id = ?").run(id);
        this.#store.db.prepare("INSERT OR IGNORE INTO removed_runs (id) VALUES (?)").run(id);
      }
      this.#store.db
        .prepare("DELETE FROM removed_runs WHERE seq <= (SELECT MAX(seq) FROM removed_runs) - ?")
        .run(REMEMBERED);
      return ids;
    });
    for (const id of removed) removeLog(this.logBase({ id, workspace }));
  }

  async wasRemoved(id: string): Promise<boolean> {
    return this.#store.db.prepare("SELECT 1 FROM removed_runs WHERE id = ?").get(id) !== undefined;
  }

  logBase({ id, workspace }: Pick<StoredRun, "id" | "workspace">): string {
    return join(this.#logFolder(workspace), id);
  }

  close(): void {
    this.#store.close();
  }

  /** The completed runs that are too many, too old or too large together, seen from the newest. */
  #beyond(workspace: string, limits: Retention): string[] {
    const oldest = Date.now() - limits.maxAgeMs;
    let bytes = 0;
    return this.#store.db
      .prepare(
        "SELECT id, ended_at, bytes FROM runs WHERE workspace = ? AND ended_at IS NOT NULL ORDER BY seq DESC",
      )
      .all(workspace)
      .filter((row, place) => {
        bytes += Number(row["bytes"]);
        // The newest stays whatever its size: somebody is about to read it.
        const tooLarge = place > 0 && bytes > limits.maxBytes;
        return place >= limits.count || Number(row["ended_at"]) < oldest || tooLarge;
      })
      .map((row) => String(row["id"]));
  }

  #one(sql: string, ...values: string[]): StoredRun | undefined {
    const row = this.#store.db.prepare(sql).get(...values);
    return row === undefined ? undefined : readRun(row);
  }

  #logFolder(workspace: string): string {
    return join(this.#folder, contentId(workspace));
  }
}

/**
 * A letter, so that nobody sends it as a number, and six digits: tokenizers take digits by threes, which makes this
 * the cheapest id of a million.
 */
function randomRunId(): string {
  return `r${randomInt(1_000_000).toString().padStart(6, "0")}`;
}
