import { createServices, type Services } from "../../src/app/services.ts";
import { loadConfig } from "../../src/config/load.ts";
import { makeFolder } from "./folder.ts";
import { onTestFinished } from "vitest";

/**
 * Creates the services of a server with its own data folder, as on a separate machine, over a team's store; they are closed when the test
 * ends.
 */
export function makeMachine(store: string, root: string, dataFolder = makeFolder()): Services {
  const environment = {
    variables: { ...process.env, PITH_STORE: store },
    home: dataFolder,
    platform: process.platform,
    cwd: root,
  };
  const flags = { "server.data_dir": dataFolder, "index.time_budget_ms": 60_000, "server.prewarm": false };
  const { config } = loadConfig(environment, root, flags);
  const services = createServices(config, environment, root, { writeEvent: () => undefined });
  onTestFinished(() => services.close());
  return services;
}
