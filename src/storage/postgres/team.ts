import type { FallbackStore, IndexStore } from "../../index/store/store.ts";
import type { PithError } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { HealthCheck } from "../../model/health.ts";
import type { RunStore } from "../../runs/record/store.ts";
import { originOf, type Origin } from "../files/origin.ts";
import { openIndexStore } from "../sqlite/index-store.ts";
import type { VectorStore } from "../../semantic/store.ts";
import { openRunStore } from "../sqlite/run-store.ts";
import { openVectorStore } from "../sqlite/vector-store.ts";
import { createPostgresIndexStore } from "./index/index-store.ts";
import { schemaVersion } from "./migrate.ts";
import { hasRoles } from "./rights.ts";
import { readRetention, setRetention, type StoreRetention } from "./retention/maintain.ts";
import { grantRights } from "./roles.ts";
import { checkObjectStore } from "../objects/check-object-store.ts";
import type { ObjectSettings } from "../objects/object-store.ts";
import { createBodies } from "./objects/bodies.ts";
import { createSharedRuns, type SharedRuns } from "./runs/shared-runs.ts";
import { showPlace } from "./store-url.ts";
import { TeamRuns } from "./runs/team-runs.ts";
import { TeamStore, type TeamConnection } from "./team-store.ts";
import { openPostgresVectorStore } from "./vectors/vector-store.ts";

interface TeamOptions {
  readonly url: string;
  readonly dataFolder: string;
  readonly logger: Logger;
  /** Opens the team's object store, if one is configured. */
  readonly objects?: (onFailure: ObjectSettings["onFailure"]) => ObjectSettings | undefined;
  /**
   * Returns a name of the folder's repository that is the same in every clone; undefined for a folder without such a
   * repository.
   */
  readonly repositoryName: (root: string) => Promise<string | undefined>;
}

/** The state of a team's database after its migration. */
interface Migrated {
  readonly place: string;
  readonly version: number;
  /** True if the database has the roles that Pith defines. */
  readonly roles: boolean;
}

/** A team's PostgreSQL database as a server uses it; what cannot be stored there is stored on this machine. */
export interface Team {
  openIndexStore(localPath: string): Promise<IndexStore>;
  openVectorStore(localPath: string): Promise<VectorStore>;
  openRunStore(localFolder: string): Promise<RunStore>;
  /** Checks, after a call has failed, whether the database answers. */
  isAvailable(): Promise<boolean>;
  /** Returns an id that all clones of a folder's repository share. */
  familyOf(root: string): Promise<string>;
  /** Returns an id for a folder that exists only on this machine. */
  folderName(root: string): Promise<string>;
  check(): Promise<HealthCheck>;
  /**
   * Migrates the schema to the newest version and grants the roles their privileges. Every connection with the right to
   * migrate does the first part by itself.
   */
  migrate(): Promise<Migrated>;
  /** Creates missing roles and grants their privileges. */
  createRoles(): Promise<void>;
  /** Returns for how long the database keeps runs, jobs and logs. */
  retention(): Promise<StoreRetention>;
  setRetention(days: number): Promise<void>;
  close(): Promise<void>;
}

/** Creates the access to a team's database without connecting; that happens on the first call. */
export function createTeam({ url, dataFolder, logger, objects, repositoryName }: TeamOptions): Team {
  let known: Promise<Origin> | undefined;
  const origin = (): Promise<Origin> => (known ??= originOf(dataFolder));
  const store = new TeamStore(url, origin);
  const families = new Map<string, Promise<string>>();
  const folderName = async (root: string): Promise<string> => `${(await origin()).id}:${root}`;
  const nameFamily = async (root: string): Promise<string> =>
    (await repositoryName(root)) ?? folderName(root);
  const familyOf = (root: string): Promise<string> => {
    const family = families.get(root) ?? nameFamily(root);
    families.set(root, family);
    // A failed lookup is not cached, because a folder that cannot be read now may be readable later.
    family.catch(() => families.delete(root));
    return family;
  };
  let lastReported: string | undefined;
  const reportFailure = ({ code, message }: PithError): void => {
    // A failure is logged once, and not again for every call that runs into it.
    if (lastReported !== message) logger.event("store.trouble", { code, message }, "warn");
    lastReported = message;
  };
  return {
    openIndexStore: (localPath) => openIndex(store, localPath, reportFailure),
    openVectorStore: (localPath) => openVectors(store, localPath, reportFailure),
    async openRunStore(localFolder) {
      const local = await openRunStore(localFolder, { sharing: true });
      const shared = sharedRunsOf(store, () => objects?.(reportFailure));
      const onFailure = (error: PithError): void => {
        reportFailure(error);
        // This check marks the database as unavailable, so that the next calls do not wait for it.
        if (error.code === "store_unavailable" && store.outage === undefined) void store.isAvailable();
      };
      return new TeamRuns({ local, shared, familyOf, onFailure });
    },
    isAvailable: () => store.isAvailable(),
    familyOf,
    folderName,
    check: () => check(store, objects?.(reportFailure)),
    async migrate() {
      const { store: database } = await store.connect();
      const roles = await hasRoles(database);
      if (roles) await grantRights(database);
      return { place: showPlace(store.place), version: await schemaVersion(database), roles };
    },
    async createRoles() {
      await grantRights((await store.connect()).store);
    },
    retention: async () => readRetention((await store.connect()).store),
    setRetention: async (days) => setRetention((await store.connect()).store, days),
    close: () => store.close(),
  };
}

/** Returns a function that returns the team's runs, the same object while the connection is the same. */
function sharedRunsOf(team: TeamStore, objects: () => ObjectSettings | undefined): () => Promise<SharedRuns> {
  let last: { readonly connection: TeamConnection; readonly runs: SharedRuns } | undefined;
  return async () => {
    const connection = await team.connect();
    if (last?.connection !== connection) {
      const { store, origin } = connection;
      const options = { bodies: createBodies(store, objects()), mayAdd: canWrite(connection) };
      last = { connection, runs: createSharedRuns(store, origin, options) };
    }
    return last.runs;
  };
}

/** Opens the team's index; while the team's database is unavailable, the index on this machine is the fallback. */
async function openIndex(
  team: TeamStore,
  localPath: string,
  reportFailure: (error: PithError) => void,
): Promise<IndexStore> {
  const connection = await team.connect().catch((error: PithError) => error);
  if (connection instanceof Error) {
    reportFailure(connection);
    const reason = `The team store cannot be used, this is the machine's own index. ${connection.message}`;
    return openFallback(localPath, { reason, isPrimaryBack: () => team.outage === undefined });
  }
  if (canWrite(connection)) return createPostgresIndexStore(connection.store, connection.origin);
  const reason = `The role of the team store (${connection.role}) may not write the index, this is the machine's own.`;
  return openFallback(localPath, { reason, isPrimaryBack: () => false });
}

/** Opens the team's vectors; while the team's database is unavailable, those on this machine are the fallback. */
async function openVectors(
  team: TeamStore,
  localPath: string,
  reportFailure: (error: PithError) => void,
): Promise<VectorStore> {
  const connection = await team.connect().catch((error: PithError) => error);
  if (!(connection instanceof Error) && canWrite(connection))
    return openPostgresVectorStore(connection.store, connection.store.place.database);
  if (connection instanceof Error) reportFailure(connection);
  const why =
    connection instanceof Error
      ? "The team store is unavailable"
      : "The role of the team store may not write";
  return { ...(await openVectorStore(localPath)), note: `${why}: these are the machine's own vectors.` };
}

function canWrite({ role }: TeamConnection): boolean {
  return role === "owner" || role === "developer";
}

async function openFallback(localPath: string, fallback: FallbackStore): Promise<IndexStore> {
  return { ...(await openIndexStore(localPath)), fallback };
}

/**
 * Reports to health_check and `pith doctor` where the team's database is, its schema version, and what this user may do
 * in it.
 */
async function check(team: TeamStore, objects: ObjectSettings | undefined): Promise<HealthCheck> {
  const name = "team store";
  const place = showPlace(team.place);
  const found = await team
    .connect()
    .then(async ({ store, role, user }) => ({ role, user, version: await schemaVersion(store) }))
    .catch((error: PithError) => error);
  if (!(found instanceof Error)) {
    const detail = `${place}, schema ${found.version}, role ${found.role} (${found.user})`;
    if (objects === undefined) return { name, ok: true, detail };
    const problem = await checkObjectStore(objects.store, found.role !== "reader");
    return problem === undefined
      ? { name, ok: true, detail: `${detail}, large logs and snapshots in ${objects.store.place}` }
      : { name, ok: false, detail: `${detail}. ${problem.message}. ${problem.suggestion}` };
  }
  const since = team.outage === undefined ? "" : ` since ${new Date(team.outage.since).toISOString()}`;
  return { name, ok: false, detail: `${found.message}; working locally${since}. ${found.suggestion}` };
}
