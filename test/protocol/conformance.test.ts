import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServices } from "../../src/app/services.ts";
import { loadConfig } from "../../src/config/load.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { serveOnHttp } from "../../src/http/server.ts";
import type { HttpEndpoint } from "../../src/http/server.ts";
import { createServer } from "../../src/mcp/server.ts";
import { makeFolder } from "../support/folder.ts";
import { startHttpServer } from "../support/http-server.ts";
import { installTools } from "../support/node-tools.ts";
import { FIXTURE_TOOLS } from "./fixture-tools.ts";

const REVISIONS = ["2025-11-25", "2026-07-28"] as const;
/** PITH_TEST_FULL=1 also tries the fixture tools with the older revision, which the shipped server is always tried with. */
const FIXTURE_REVISIONS = process.env["PITH_TEST_FULL"] === "1" ? REVISIONS : REVISIONS.slice(-1);
const suite = installTools("conformance", ["@modelcontextprotocol/conformance@0.2.0-alpha.12"]);

async function conform(url: string, revision: string, baseline: string): Promise<string> {
  const file = join(import.meta.dirname, baseline);
  const result = await suite?.run("conformance", [
    "server",
    "--url",
    url,
    "--requirements",
    revision,
    "--expected-failures",
    file,
  ]);
  return result?.status === 0 ? "as expected" : (result?.output ?? "not installed");
}

describe.skipIf(suite === undefined)("the official conformance suite", () => {
  it.each(REVISIONS)("passes against the shipped server, revision %s", async (revision) => {
    const url = await startHttpServer(makeFolder());
    expect(await conform(url, revision, `shipped-${revision}.yml`)).toBe("as expected");
  });

  it.each(FIXTURE_REVISIONS)(
    "passes against its fixture tools on our transport and pipeline, revision %s",
    async (revision) => {
      const endpoint = await startFixtureServer();
      expect(await conform(endpoint.url, revision, `fixtures-${revision}.yml`)).toBe("as expected");
    },
  );
});

async function startFixtureServer(): Promise<HttpEndpoint> {
  const folder = makeFolder();
  const environment = { variables: {}, home: folder, platform: process.platform, cwd: folder };
  const { config } = loadConfig(environment, folder, { "server.data_dir": folder });
  const services = createServices(config, environment, folder);
  const logger = createLogger("error", () => undefined);
  const endpoint = await serveOnHttp(() => createServer(services, FIXTURE_TOOLS), {
    port: 0,
    token: "",
    logger,
  });
  onTestFinished(() => endpoint.close());
  return endpoint;
}
