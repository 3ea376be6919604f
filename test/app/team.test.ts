import { expect, it } from "vitest";
import { lazyTeam } from "../../src/app/team.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { makeFolder } from "../support/folder.ts";

it("an object store without credentials is refused with a next step, and nothing is left to close", async () => {
  const folder = makeFolder();
  const variables = { PITH_STORE: "postgres://ada@127.0.0.1:1/pith", PITH_STORE_OBJECTS: "s3://team/pith" };
  const environment = { variables, home: folder, cwd: folder, platform: process.platform };
  const { config } = loadConfig(environment, folder);
  const team = lazyTeam(
    config,
    folder,
    createLogger("warn", () => undefined),
  );
  await expect(team?.()).rejects.toMatchObject({
    code: "config_invalid",
    suggestion: expect.stringContaining("PITH_STORE_ACCESS_KEY"),
  });
  await expect(team?.close()).resolves.toBeUndefined();
});
