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
import { giveRights } from "./role.ts";
import { hasRoles } from "./roles.ts";
import { createSharedRuns } from "./runs/shared-runs.ts";
import { showPlace } from "./store-url.ts";
import { TeamRuns } from "./runs/team-runs.ts";
import { TeamStore, type TeamConnection } from "./team-store.ts";
import { openPostgresVectorStore } from "./vectors/vector-store.ts";

interface TeamOptions {
  readonly url: string;
  readonly dataFolder: string;
  readonly logger: Logger;
  /** What a folder's repository is called wherever it is cloned; undefined for a folder that is here alone. */
  readonly repositoryName: (root: string) => Promise<string | undefined>;
}

/** What a store is like after its migration. */
interface Migrated {
  readonly place: string;
  readonly version: number;
  /** Whether the roles are there. */
  readonly roles: boolean;
}

/** A team's store as the parts of a server use it; what cannot be kept there is kept on this machine. */
export interface Team {
  openIndexStore(localPath: string): Promise<IndexStore>;
  openVectorStore(localPath: string): Promise<VectorStore>;
  openRunStore(localFolder: string): Promise<RunStore>;
  /** Whether the store answers after a call has failed. */
  isThere(): Promise<boolean>;
  /** Names what all clones of a folder's repository have in common. */
  familyOf(root: string): Promise<string>;
  /** Names a folder that is here alone. */
  folderName(root: string): Promise<string>;
  check(): Promise<HealthCheck>;
  /** Brings the schema to the newest version, which every connection does that may, and gives the roles their rights in it. */
  migrate(): Promise<Migrated>;
  /** Makes the roles, where they are not there, and gives them their rights. */
  makeRoles(): Promise<void>;
  close(): Promise<void>;
}

/** Nothing is opened before the first call. */
export function createTeam({ url, dataFolder, logger, repositoryName }: TeamOptions): Team {
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
    // A folder that could not be read may be there the next time.
    family.catch(() => families.delete(root));
    return family;
  };
  let told: string | undefined;
  const onTrouble = ({ code, message }: PithError): void => {
    // Once for each trouble, not for each call that meets it.
    if (told !== message) logger.event("store.trouble", { code, message }, "warn");
    told = message;
  };
  return {
    openIndexStore: (localPath) => openIndex(store, localPath, onTrouble),
    openVectorStore: (localPath) => openVectors(store, localPath, onTrouble),
    async openRunStore(localFolder) {
      const local = await openRunStore(localFolder, { sharing: true });
      const shared = async () => {
        const connection = await store.connect();
        return createSharedRuns(connection.store, connection.origin);
      };
      const onFailure = (error: PithError): void => {
        onTrouble(error);
        // A store that went away is then known to be away, and not waited for again.
        if (error.code === "store_unavailable" && store.absence === undefined) void store.isThere();
      };
      return new TeamRuns({ local, shared, familyOf, onTrouble: onFailure });
    },
    isThere: () => store.isThere(),
    familyOf,
    folderName,
    check: () => check(store),
    async migrate() {
      const { store: database } = await store.connect();
      const roles = await hasRoles(database);
      if (roles) await giveRights(database);
      return { place: showPlace(store.place), version: await schemaVersion(database), roles };
    },
    async makeRoles() {
      await giveRights((await store.connect()).store);
    },
    close: () => store.close(),
  };
}

/** The team's index, or this machine's own in its place. */
async function openIndex(
  team: TeamStore,
  localPath: string,
  onTrouble: (error: PithError) => void,
): Promise<IndexStore> {
  const connection = await team.connect().catch((error: PithError) => error);
  if (connection instanceof Error) {
    onTrouble(connection);
    const reason = `The team store cannot be used, this is the machine's own index. ${connection.message}`;
    return openFallback(localPath, { reason, isPrimaryBack: () => team.absence === undefined });
  }
  if (canIndex(connection)) return createPostgresIndexStore(connection.store, connection.origin);
  const reason = `The role of the team store (${connection.role}) may not write the index, this is the machine's own.`;
  return openFallback(localPath, { reason, isPrimaryBack: () => false });
}

/** The team's vectors, or this machine's own in their place. */
async function openVectors(
  team: TeamStore,
  localPath: string,
  onTrouble: (error: PithError) => void,
): Promise<VectorStore> {
  const connection = await team.connect().catch((error: PithError) => error);
  if (!(connection instanceof Error) && canIndex(connection))
    return openPostgresVectorStore(connection.store, connection.store.place.database);
  if (connection instanceof Error) onTrouble(connection);
  const why =
    connection instanceof Error ? "The team store is away" : "The role of the team store may not write";
  return { ...(await openVectorStore(localPath)), note: `${why}: these are the machine's own vectors.` };
}

function canIndex({ role }: TeamConnection): boolean {
  return role === "owner" || role === "developer";
}

async function openFallback(localPath: string, fallback: FallbackStore): Promise<IndexStore> {
  return { ...(await openIndexStore(localPath)), fallback };
}

/** For health_check and doctor: where the store is, its schema, and what this connection may do. */
async function check(team: TeamStore): Promise<HealthCheck> {
  const name = "team store";
  const place = showPlace(team.place);
  const found = await team
    .connect()
    .then(async ({ store, role, user }) => ({ role, user, version: await schemaVersion(store) }))
    .catch((error: PithError) => error);
  if (!(found instanceof Error))
    return {
      name,
      ok: true,
      detail: `${place}, schema ${found.version}, role ${found.role} (${found.user})`,
    };
  const since = team.absence === undefined ? "" : ` since ${new Date(team.absence.since).toISOString()}`;
  return { name, ok: false, detail: `${found.message}; working locally${since}. ${found.suggestion}` };
}
