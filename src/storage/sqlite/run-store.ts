import { randomInt } from "node:crypto";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { contentId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { openLogFiles, removeLog } from "../../runs/log-files.ts";
import type { NewRun, Retention, RunEnding, RunOwner, RunStore, StoredRun } from "../../runs/store.ts";
import { RUN_COLUMNS, runOf } from "../rows/run.ts";
import { openStore, storeError, type SqliteStore } from "./database.ts";
import { RUN_MIGRATIONS } from "./run-migrations.ts";

/** A clash is found when the row is added; a few tries are enough however many runs there are. */
const MAX_TRIES = 100;
/** How many ids of removed runs are remembered, to tell "removed" from "never heard of". */
const REMEMBERED = 5_000;

/** Runs on this machine that a team shall see as well. */
export interface SharableRunStore extends RunStore {
  /** Those that ended and were not sent yet, the oldest first, with their findings. */
  unshared(): Promise<StoredRun[]>;
  /** Notes that a run was sent, or that it stays here. */
  noteShared(id: string, outcome: "sent" | "kept"): Promise<void>;
}

/** Opens the runs of a data folder: one database, and a folder of log files for each workspace. */
export async function openRunStore(
  folder: string,
  options: { readonly sharing?: boolean } = {},
): Promise<SharableRunStore> {
  const path = join(folder, "runs.db");
  const store = await openStore(path, RUN_MIGRATIONS);
  return tellingErrors(new SqliteRunStore(store, folder, options.sharing === true), path);
}

/** A full disk or a damaged page shows up at any statement: every driver error leaves as one that a caller can act on. */
function tellingErrors(store: SharableRunStore, path: string): SharableRunStore {
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw storeError(error, path, "store_unavailable");
    });
  return {
    add: (run) => told(store.add(run)),
    adopt: (id, owner) => told(store.adopt(id, owner)),
    askToStop: (id) => told(store.askToStop(id)),
    stopAsked: (id) => told(store.stopAsked(id)),
    finish: (id, ending) => told(store.finish(id, ending)),
    get: (id) => told(store.get(id)),
    list: (workspace, limit) => told(store.list(workspace, limit)),
    running: () => told(store.running()),
    previous: (run) => told(store.previous(run)),
    retain: (workspace, limits) => told(store.retain(workspace, limits)),
    wasRemoved: (id) => told(store.wasRemoved(id)),
    unshared: () => told(store.unshared()),
    noteShared: (id, outcome) => told(store.noteShared(id, outcome)),
    logBase: (run) => store.logBase(run),
    openLog: (run) => store.openLog(run),
    close: () => store.close(),
  };
}

/** A letter, so that nobody sends it as a number, and six digits: tokenizers take digits by threes, which makes this the cheapest id of a million. */
export function randomRunId(): string {
  return `r${randomInt(1_000_000).toString().padStart(6, "0")}`;
}

class SqliteRunStore implements SharableRunStore {
  readonly #store: SqliteStore;
  readonly #folder: string;
  readonly #sharing: boolean;

  constructor(store: SqliteStore, folder: string, sharing: boolean) {
    this.#store = store;
    this.#folder = folder;
    this.#sharing = sharing;
  }

  async add(run: NewRun): Promise<StoredRun> {
    await makePrivateFolder(this.#logFolder(run.workspace));
    const insert = this.#store.db.prepare(
      `INSERT INTO runs (id, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at, shared)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    );
    const { owner } = run;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const id = run.id ?? randomRunId();
      if (run.id === undefined && (await this.wasRemoved(id))) continue;
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
        this.#sharing ? 0 : null,
      );
      if (changes === 0 && run.id !== undefined) break;
      if (changes === 1) return { ...run, id, log: { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 } };
    }
    throw new PithError("store_unavailable", "No free run id was found");
  }

  async adopt(id: string, owner: RunOwner): Promise<void> {
    this.#store.db
      .prepare("UPDATE runs SET owner_pid = ?, owner_identity = ? WHERE id = ?")
      .run(owner.pid, owner.identity, id);
  }

  async askToStop(id: string): Promise<void> {
    this.#store.db
      .prepare(
        "UPDATE runs SET stop_asked_at = ? WHERE id = ? AND ended_at IS NULL AND stop_asked_at IS NULL",
      )
      .run(Date.now(), id);
  }

  async stopAsked(id: string): Promise<boolean> {
    const query = "SELECT 1 FROM runs WHERE id = ? AND stop_asked_at IS NOT NULL";
    return this.#store.db.prepare(query).get(id) !== undefined;
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
      .map(runOf);
  }

  async running(): Promise<StoredRun[]> {
    return this.#store.db
      .prepare(`SELECT ${RUN_COLUMNS} FROM runs WHERE ended_at IS NULL ORDER BY seq`)
      .all()
      .map(runOf);
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

  async unshared(): Promise<StoredRun[]> {
    return this.#store.db
      .prepare(
        `SELECT ${RUN_COLUMNS}, findings_json FROM runs WHERE shared = 0 AND ended_at IS NOT NULL ORDER BY seq`,
      )
      .all()
      .map(runOf);
  }

  async noteShared(id: string, outcome: "sent" | "kept"): Promise<void> {
    this.#store.db.prepare("UPDATE runs SET shared = ? WHERE id = ?").run(outcome === "sent" ? 1 : null, id);
  }

  logBase({ id, workspace }: Pick<StoredRun, "id" | "workspace">): string {
    return join(this.#logFolder(workspace), id);
  }

  openLog(run: StoredRun): ReturnType<RunStore["openLog"]> {
    return openLogFiles(this.logBase(run));
  }

  async close(): Promise<void> {
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
        // The newest stays whatever its size, and whatever a clock that jumped says of its age: somebody is about to
        // read it.
        if (place === 0) return false;
        return place >= limits.count || Number(row["ended_at"]) < oldest || bytes > limits.maxBytes;
      })
      .map((row) => String(row["id"]));
  }

  #one(sql: string, ...values: string[]): StoredRun | undefined {
    const row = this.#store.db.prepare(sql).get(...values);
    return row === undefined ? undefined : runOf(row);
  }

  #logFolder(workspace: string): string {
    return join(this.#folder, contentId(workspace));
  }
}
