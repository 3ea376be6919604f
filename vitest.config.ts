import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/clients/**"],
    globalSetup: ["test/support/postgres-setup.ts"],
    // Real processes on a loaded two-core machine: generous, never asserted on.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
