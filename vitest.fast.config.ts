import { defineConfig } from "vitest/config";

/**
 * The inner loop, under a minute: tests that need neither the built binary nor a database nor many processes. Suites that read
 * every fixture in many variants are left to `npm test`, which runs everything.
 */
export default defineConfig({
  test: {
    include: [
      "test/{kernel,model,config,shell,logs,semantic,render,mcp,prune,languages,diagnostics}/**/*.test.ts",
      "test/index/{query,rank,store,text}/**/*.test.ts",
    ],
    exclude: [
      "test/diagnostics/engine/{boundaries,mixed-logs,fuzz}.test.ts",
      "test/diagnostics/clean/**",
      "test/diagnostics/summarize/{group,log-status}.test.ts",
      "test/languages/hostile.test.ts",
      "test/prune/{integrity,request-states}.test.ts",
      "test/render/list/round-trip.test.ts",
    ],
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
