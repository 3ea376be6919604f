import { randomInt } from "node:crypto";
import { join } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { contentId, randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { hasLogFiles, openLogFiles, removeLog } from "../../runs/record/log-files.ts";
import type { NewRun, Retention, RunEnding, RunOwner, RunStore, StoredRun } from "../../runs/record/store.ts";
import { ENDING_COLUMNS, endingValues, RUN_COLUMNS, runOf } from "../rows/run.ts";
import type { SqliteStore } from "./database.ts";
import { SelfRepairingDatabase } from "./self-repairing-database.ts";
import { RUN_MIGRATIONS } from "./run-schema.ts";
import { listQuarantined } from "./quarantine.ts";

/** Upper bound on attempts to find a free run id; a collision is detected on insert and is rare. */
const MAX_ID_ATTEMPTS = 100;
/** Upper bound on the remembered ids of removed runs, by which a reply can tell "removed" from "unknown". */
const MAX_REMOVED_IDS = 5_000;

/** A store of runs on this machine that can also be sent to a team's database. */
export interface SharableRunStore extends RunStore {
  /** Returns the ended runs that were not sent to the team yet, oldest first, with their findings. */
  unshared(): Promise<StoredRun[]>;
  /** Records that a run was sent to the team, or that it stays on this machine. */
  noteShared(id: string, outcome: "sent" | "kept"): Promise<void>;
}

/** Opens the runs of a data folder: one database, and a folder of log files per workspace. */
export function openRunStore(
  folder: string,
  options: { readonly sharing?: boolean } = {},
): Promise<SharableRunStore> {
  return SqliteRunStore.open(folder, options.sharing === true);
}

/** Number of random characters in a long id, which have 35 bits. */
const LONG_ID_LENGTH = 7;

/**
 * Returns a random run id: a letter, so that nobody passes the id as a number, and six digits. Tokenizers encode three
 * digits per token, so no other id with a million values costs fewer tokens.
 */
export function randomRunId(isLong = false): string {
  if (isLong) return `r${randomId(LONG_ID_LENGTH)}`;
  return `r${randomInt(1_000_000).toString().padStart(6, "0")}`;
}

class SqliteRunStore implements SharableRunStore {
  readonly #database: SelfRepairingDatabase;
  readonly #folder: string;
  readonly #sharing: boolean;
  readonly #unfinished: UnfinishedRuns;

  private constructor(database: SelfRepairingDatabase, own: RunStoreState) {
    this.#database = database;
    this.#folder = own.folder;
    this.#sharing = own.sharing;
    this.#unfinished = own.unfinished;
  }

  static async open(folder: string, sharing: boolean): Promise<SqliteRunStore> {
    const unfinished: UnfinishedRuns = new Map();
    const database = await SelfRepairingDatabase.open(join(folder, "runs.db"), {
      migrations: RUN_MIGRATIONS,
      onReplaced(store) {
        for (const { run, adopted } of unfinished.values()) {
          insertRun(store, run, sharing);
          if (adopted) setOwner(store, run);
        }
      },
    });
    return new SqliteRunStore(database, { folder, sharing, unfinished });
  }

  async add(run: NewRun): Promise<StoredRun> {
    await makePrivateFolder(this.#logFolder(run.workspace));
    return this.#database.use((store) => {
      for (let tries = 0; tries < MAX_ID_ATTEMPTS; tries++) {
        const id = run.id ?? randomRunId(run.hasLongId);
        if (run.id === undefined && !this.#isFree(store, { id, workspace: run.workspace })) continue;
        const added = { ...run, id, log: NO_LOG };
        if (insertRun(store, added, this.#sharing)) {
          this.#unfinished.set(id, { run: added, adopted: false });
          return added;
        }
        if (run.id !== undefined) break;
      }
      throw new PithError("store_unavailable", "No free run id was found");
    });
  }

  async adopt(run: StoredRun, owner: RunOwner): Promise<void> {
    const adopted = { ...run, owner };
    this.#unfinished.set(run.id, { run: adopted, adopted: true });
    await this.#database.use((store) => {
      if (!setOwner(store, adopted)) insertRun(store, adopted, this.#sharing);
    });
  }

  askToStop(id: string): Promise<void> {
    return this.#run(
      "UPDATE runs SET stop_asked_at = ? WHERE id = ? AND ended_at IS NULL AND stop_asked_at IS NULL",
      Date.now(),
      id,
    );
  }

  stopAsked(id: string): Promise<boolean> {
    return this.#has("SELECT 1 FROM runs WHERE id = ? AND stop_asked_at IS NOT NULL", id);
  }

  async finish(id: string, ending: RunEnding): Promise<void> {
    const columns = ENDING_COLUMNS.map((column) => `${column} = ?`).join(", ");
    await this.#run(
      `UPDATE runs SET ${columns} WHERE id = ? AND ended_at IS NULL`,
      ...endingValues(ending),
      id,
    );
    this.#unfinished.delete(id);
  }

  async get(id: string): Promise<StoredRun | undefined> {
    const [run] = await this.#all(`SELECT ${RUN_COLUMNS}, findings_json FROM runs WHERE id = ?`, id);
    if (run?.end !== undefined) this.#unfinished.delete(id);
    return run;
  }

  list(workspace: string, limit: number): Promise<StoredRun[]> {
    return this.#all(
      `SELECT ${RUN_COLUMNS} FROM runs WHERE workspace = ? ORDER BY seq DESC LIMIT ?`,
      workspace,
      limit,
    );
  }

  workspaces(): Promise<string[]> {
    return this.#database.use(({ db }) =>
      db
        .prepare("SELECT workspace FROM runs GROUP BY workspace ORDER BY MAX(seq) DESC")
        .all()
        .map((row) => String(row["workspace"])),
    );
  }

  running(): Promise<StoredRun[]> {
    return this.#all(`SELECT ${RUN_COLUMNS} FROM runs WHERE ended_at IS NULL ORDER BY seq`);
  }

  async previous(run: StoredRun): Promise<StoredRun | undefined> {
    const [previous] = await this.#all(
      `SELECT ${RUN_COLUMNS}, findings_json FROM runs
       WHERE key = ? AND seq < (SELECT seq FROM runs WHERE id = ?) AND cause = 'exit' AND findings_json IS NOT NULL
       ORDER BY seq DESC LIMIT 1`,
      run.key,
      run.id,
    );
    return previous;
  }

  async retain(workspace: string, limits: Retention): Promise<void> {
    const removed = await this.#database.use((store) =>
      store.transaction(() => {
        const ids = runsBeyond(store, workspace, limits);
        for (const id of ids) {
          store.db.prepare("DELETE FROM runs WHERE id = ?").run(id);
          store.db.prepare("INSERT OR IGNORE INTO removed_runs (id) VALUES (?)").run(id);
        }
        store.db
          .prepare("DELETE FROM removed_runs WHERE seq <= (SELECT MAX(seq) FROM removed_runs) - ?")
          .run(MAX_REMOVED_IDS);
        return ids;
      }),
    );
    for (const id of removed) removeLog(this.logBase({ id, workspace }));
  }

  wasRemoved(id: string): Promise<boolean> {
    return this.#has(WAS_REMOVED, id);
  }

  unshared(): Promise<StoredRun[]> {
    return this.#all(
      `SELECT ${RUN_COLUMNS}, findings_json FROM runs WHERE shared = 0 AND ended_at IS NOT NULL ORDER BY seq`,
    );
  }

  noteShared(id: string, outcome: "sent" | "kept"): Promise<void> {
    return this.#run("UPDATE runs SET shared = ? WHERE id = ?", outcome === "sent" ? 1 : null, id);
  }

  takeSetAside(): readonly string[] {
    return this.#database.takeNewlyQuarantined();
  }

  setAside(): readonly string[] {
    return listQuarantined(this.#database.path);
  }

  logBase({ id, workspace }: Pick<StoredRun, "id" | "workspace">): string {
    return join(this.#logFolder(workspace), id);
  }

  openLog(run: StoredRun): ReturnType<RunStore["openLog"]> {
    return openLogFiles(this.logBase(run));
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  /** An id is free if it belongs neither to a removed run nor to log files left from a database that was set aside. */
  #isFree({ db }: SqliteStore, run: Pick<StoredRun, "id" | "workspace">): boolean {
    return db.prepare(WAS_REMOVED).get(run.id) === undefined && !hasLogFiles(this.logBase(run));
  }

  #all(sql: string, ...values: Value[]): Promise<StoredRun[]> {
    return this.#database.use(({ db }) =>
      db
        .prepare(sql)
        .all(...values)
        .map(runOf),
    );
  }

  #has(sql: string, ...values: Value[]): Promise<boolean> {
    return this.#database.use(({ db }) => db.prepare(sql).get(...values) !== undefined);
  }

  #run(sql: string, ...values: Value[]): Promise<void> {
    return this.#database.use(({ db }) => void db.prepare(sql).run(...values));
  }

  #logFolder(workspace: string): string {
    return join(this.#folder, contentId(workspace));
  }
}

type Value = string | number | null;

interface RunStoreState {
  readonly folder: string;
  readonly sharing: boolean;
  readonly unfinished: UnfinishedRuns;
}

/**
 * The unfinished runs that this process added or took over. If a new database replaces a damaged one, they are inserted
 * into it.
 */
type UnfinishedRuns = Map<string, { readonly run: StoredRun; readonly adopted: boolean }>;

const NO_LOG = { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 } as const;
const WAS_REMOVED = "SELECT 1 FROM removed_runs WHERE id = ?";

/** Inserts a run; returns false if a run with that id exists. */
function insertRun({ db }: SqliteStore, run: StoredRun, sharing: boolean): boolean {
  const { changes } = db
    .prepare(
      `INSERT INTO runs (id, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at, shared)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    )
    .run(
      run.id,
      run.workspace,
      run.command,
      run.tool ?? null,
      run.cwd,
      run.key,
      run.owner.pid,
      run.owner.identity,
      run.startedAt,
      sharing ? 0 : null,
    );
  return changes === 1;
}

/** Records which process runs the command of a run; returns false if there is no such run. */
function setOwner({ db }: SqliteStore, { id, owner }: StoredRun): boolean {
  const { changes } = db
    .prepare("UPDATE runs SET owner_pid = ?, owner_identity = ? WHERE id = ?")
    .run(owner.pid, owner.identity, id);
  return changes === 1;
}

/** Returns the ended runs to remove: counted from the newest, those beyond the limits on number, age or total size. */
function runsBeyond({ db }: SqliteStore, workspace: string, limits: Retention): string[] {
  const oldest = Date.now() - limits.maxAgeMs;
  let bytes = 0;
  return db
    .prepare(
      "SELECT id, ended_at, bytes FROM runs WHERE workspace = ? AND ended_at IS NOT NULL ORDER BY seq DESC",
    )
    .all(workspace)
    .filter((row, place) => {
      bytes += Number(row["bytes"]);
      // The newest run is always kept, whatever its size and even if the clock jumped, because somebody is about to read it.
      if (place === 0) return false;
      return place >= limits.count || Number(row["ended_at"]) < oldest || bytes > limits.maxBytes;
    })
    .map((row) => String(row["id"]));
}
