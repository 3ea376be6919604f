import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { LongestFirst } from "./test/support/longest-first.ts";
import { OLDEST_VERSION } from "./test/support/postgres-process.ts";

/** pytest loads every plugin that a machine happens to have, which takes four times as long as pytest itself. */
const NO_PLUGINS = { PYTEST_DISABLE_PLUGIN_AUTOLOAD: "1" };

const ALL: NonNullable<TestProjectInlineConfiguration["test"]> = {
  // A worker runs many files, and their modules are loaded once: loading them for each file anew would cost as much
  // processor time as the tests. So a test undoes what it changes in its process: variables, timers, listeners.
  isolate: false,
  include: ["test/**/*.test.ts"],
  exclude: ["test/clients/**"],
  env: NO_PLUGINS,
  // Real processes on a loaded two-core machine: generous, never asserted on.
  testTimeout: 180_000,
  hookTimeout: 120_000,
  // Many suites start real processes that race with each other. A retry keeps one lost race from failing a whole CI run;
  // vitest reports the test as flaky.
  retry: process.env["CI"] === undefined ? 0 : 2,
};

/** The oldest PostgreSQL that a store may be on, for what depends on it: statements, migrations, rights. */
const ON_OLDEST_POSTGRES: TestProjectInlineConfiguration = {
  test: {
    ...ALL,
    name: `postgres-${OLDEST_VERSION}`,
    include: ["test/storage/postgres/**/*.test.ts"],
    // These are about connections, which are the driver's on all versions.
    exclude: ["test/storage/postgres/team.test.ts", "test/storage/postgres/tls.test.ts"],
    env: { ...NO_PLUGINS, PITH_TEST_POSTGRES_VERSION: OLDEST_VERSION },
  },
};

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-setup.ts"],
    // On two cores: a third of the time of the end-to-end tests is waiting for processes, leases and timeouts.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [{ test: { ...ALL, name: "all" } }, ...(OLDEST_VERSION !== "" ? [ON_OLDEST_POSTGRES] : [])],
  },
});
