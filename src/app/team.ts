import type { Config } from "../config/keys.ts";
import type { Logger } from "../kernel/logger.ts";
import { parseStoreUrl } from "../storage/postgres/store-url.ts";
import type { Team } from "../storage/postgres/team.ts";
import { findRepository } from "../workspace/git/git-repository.ts";
import { repositoryName } from "../workspace/git/repository-name.ts";

export interface LazyTeam {
  (): Promise<Team>;
  close(): Promise<void>;
}

/** The store in a database that a team shares. Its code is loaded on first use; undefined if no store is configured. */
export function lazyTeam(config: Config, dataFolder: string, logger: Logger): LazyTeam | undefined {
  const { store: url } = config.server;
  if (url === "") return undefined;
  // A wrong URL is a configuration error, so it is refused here and not reported as an unavailable store later.
  parseStoreUrl(url);
  let opened: Promise<Team> | undefined;
  const open = async (): Promise<Team> => {
    const [{ createTeam }, { objectSettings }] = await Promise.all([
      import("../storage/postgres/team.ts"),
      import("./object-store.ts"),
    ]);
    // A wrong URL of the object store is refused here, too, and not when the first large log is stored.
    objectSettings(config, () => undefined);
    return createTeam({
      url,
      dataFolder,
      logger,
      objects: (onFailure) => objectSettings(config, onFailure),
      repositoryName: repositoryNameOf,
    });
  };
  const get = (): Promise<Team> => (opened ??= open());
  // A configuration that was refused has nothing to close, and whoever asked for the store has got the error.
  return Object.assign(get, { close: async () => (await opened?.catch(() => undefined))?.close() });
}

/** The SQL statements that create the database roles of a team store. */
export async function storeRolesSql(): Promise<string> {
  return (await import("../storage/postgres/rights.ts")).rolesSql();
}

async function repositoryNameOf(root: string): Promise<string | undefined> {
  const repository = await findRepository(root);
  return repository === undefined ? undefined : repositoryName(repository);
}
