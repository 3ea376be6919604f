import { join } from "node:path";
import type { Logger } from "./kernel/logger.ts";
import type { PithError } from "./kernel/errors.ts";
import type { RunStore } from "./runs/store.ts";
import { originOf } from "./storage/files/origin.ts";
import { openRunStore } from "./storage/sqlite/run-store.ts";
import { findRepository } from "./workspace/git-repository.ts";
import { repositoryName } from "./workspace/repository-name.ts";

interface TeamOptions {
  readonly url: string;
  readonly dataFolder: string;
  readonly logger: Logger;
}

/** The runs of this machine, shared with a team; the driver of its store is loaded with the first run. */
export async function openTeamRuns({ url, dataFolder, logger }: TeamOptions): Promise<RunStore> {
  const [{ TeamRuns }, { TeamStore }, { createSharedRuns }] = await Promise.all([
    import("./storage/postgres/team-runs.ts"),
    import("./storage/postgres/team-store.ts"),
    import("./storage/postgres/shared-runs.ts"),
  ]);
  const team = new TeamStore(url, () => originOf(dataFolder));
  const runs = new TeamRuns({
    local: await openRunStore(join(dataFolder, "runs"), { sharing: true }),
    async shared() {
      const { store, origin } = await team.connect();
      return createSharedRuns(store, origin);
    },
    familyOf,
    onTrouble: ({ code, message }: PithError) => logger.event("store.away", { code, message }, "warn"),
  });
  const close = runs.close.bind(runs);
  return Object.assign(runs, {
    async close() {
      await close();
      await team.close();
    },
  });
}

/** A folder that nobody can have cloned is only itself. */
async function familyOf(workspace: string): Promise<string> {
  const repository = await findRepository(workspace);
  return (repository && (await repositoryName(repository))) ?? workspace;
}
