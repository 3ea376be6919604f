import { offeredTools } from "../app/registry.ts";
import { createServices, type Services } from "../app/services.ts";
import { currentEnvironment } from "../config/environment.ts";
import { loadConfig } from "../config/load.ts";
import type { Reader } from "../render/reader/reader.ts";
import { workspaceRootOf } from "../workspace/roots.ts";

/** Calls work with the services of the workspace that a hook's client works in, and closes them afterwards. */
export async function withServices<T>(
  cwd: string,
  work: (services: Services, reader: Reader, root: string) => Promise<T>,
): Promise<T> {
  const environment = currentEnvironment();
  const root = await workspaceRootOf(cwd);
  const { config } = loadConfig(environment, root, {});
  const services = createServices(config, environment, root, { writeEvent: () => undefined });
  const reader: Reader = { surface: "mcp", tools: new Set(offeredTools(config).map(({ name }) => name)) };
  try {
    return await work(services, reader, root);
  } finally {
    await services.close();
  }
}
