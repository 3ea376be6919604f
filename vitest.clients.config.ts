import { defineConfig } from "vitest/config";

/** The real clients: large downloads, so a suite of their own. */
export default defineConfig({
  test: {
    include: ["test/clients/**/*.test.ts"],
    globalSetup: ["test/clients/installed.ts"],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // The tests mostly wait for the clients.
    maxWorkers: 4,
  },
});
