import { expect, it } from "vitest";
import { createServices, type ServiceOptions } from "../../src/app/services.ts";
import { loadConfig } from "../../src/config/load.ts";
import { makeFolder } from "../support/folder.ts";

/** Returns the events of a command or a server that are written to stderr. */
async function written(options: ServiceOptions, level?: string): Promise<string> {
  const root = makeFolder();
  const variables = { PITH_DATA_DIR: makeFolder(), ...(level && { PITH_SERVER_LOG_LEVEL: level }) };
  const environment = { variables, home: root, cwd: root, platform: process.platform };
  const lines: string[] = [];
  const writeEvent = (line: string): void => void lines.push(line);
  const services = createServices(loadConfig(environment, root).config, environment, root, {
    writeEvent,
    ...options,
  });
  for (const name of ["info", "notice", "warn"] as const) services.logger.event(name, {}, name);
  await services.close();
  return lines.map((line) => (JSON.parse(line) as { event: string }).event).join(" ");
}

it("a server writes notices to stderr, a command only warnings, unless more is configured", async () => {
  expect(await written({ serves: "stdio" })).toBe("notice warn");
  expect(await written({})).toBe("warn");
  expect(await written({}, "info")).toBe("info notice warn");
});
