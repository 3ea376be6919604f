import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const ALL: NonNullable<TestProjectInlineConfiguration["test"]> = {
  include: ["test/**/*.test.ts"],
  exclude: ["test/clients/**"],
  // Real processes on a loaded two-core machine: generous, never asserted on.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Many suites start real processes that race with each other. A retry keeps one lost race from failing a whole CI run;
  // vitest reports the test as flaky.
  retry: process.env["CI"] === undefined ? 0 : 2,
};

/**
 * Tests of functions, which leave no state in the modules that they import. Their files share these modules: loading them
 * for each file anew would cost as much processor time as the tests.
 */
const UNITS = [
  "test/{kernel,model,config,shell,logs,semantic,render,mcp,prune,languages,diagnostics}/**/*.test.ts",
  "test/index/{query,rank,store,text}/**/*.test.ts",
];

/** The oldest PostgreSQL that a store may be on, for what depends on it: statements, migrations, rights, a small pool. */
const ON_OLDEST_POSTGRES: TestProjectInlineConfiguration = {
  test: {
    ...ALL,
    name: "postgres-14",
    include: ["test/storage/postgres/**/*.test.ts", "test/e2e/pool-reports.test.ts"],
    // These are about connections, which are the driver's on all versions.
    exclude: ["test/storage/postgres/team.test.ts", "test/storage/postgres/tls.test.ts"],
    env: { PITH_TEST_POSTGRES_VERSION: "14" },
  },
};
/** The lock has the old server for this platform alone. */
const HAS_OLDEST_POSTGRES = process.platform === "linux" && process.arch === "x64";

export default defineConfig({
  test: {
    globalSetup: ["test/support/postgres-setup.ts"],
    // On two cores: a third of the time of the end-to-end tests is waiting for processes, leases and timeouts.
    maxWorkers: 3,
    projects: [
      { test: { ...ALL, name: "units", include: UNITS, isolate: false } },
      { test: { ...ALL, name: "all", exclude: ["test/clients/**", ...UNITS] } },
      ...(HAS_OLDEST_POSTGRES ? [ON_OLDEST_POSTGRES] : []),
    ],
  },
});
