import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { parseText } from "../../src/diagnostics/engine/engine.ts";
import { makeFolder } from "../support/folder.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";

const FILES = {
  "package.json": '{"name":"demo","version":"1.0.0","scripts":{"test":"node --test"}}\n',
  "a.test.mjs": "import { test } from 'node:test';\ntest('holds', () => {});\n",
  // npm warns about this unknown setting at every call.
  ".npmrc": "no-such-setting-of-npm=1\n",
};

const hasNpm = spawnSync("npm", ["--version"], { stdio: "ignore" }).status === 0;

it.skipIf(!hasNpm)("ignores what npm says about its own settings", { timeout: 60_000 }, async () => {
  const folder = makeFolder(FILES);
  const service = makeRunService({}, { ...process.env, npm_config_update_notifier: "false" });
  const report = await runIn(folder, "npm test", { service });
  const { lines } = await service.log({
    runId: report.run.id,
    stream: "stderr",
    startLine: 1,
    lineCount: 20,
  });
  expect(lines.map(({ text }) => text).join("\n")).toContain("Unknown project config");
  expect(report.run.findings?.counts).toEqual({ error: 0, warning: 0, info: 0 });
  expect(shown(report)).toMatch(/^PASS \S+ 1 passed exit 0 run \w+$/);
});

it("reports what npm says about the packages that it installs", () => {
  const text = [
    'npm warn Unknown user config "nodedir". This will stop working in the next major version of npm.',
    "npm warn config production Use `--omit=dev` instead.",
    "npm warn using --force Recommended protections disabled.",
    "npm warn deprecated glob@7.2.3: Glob versions prior to v9 are no longer supported",
    "",
    "added 3 packages in 1s",
  ].join("\n");
  expect(parseText(`${text}\n`).diagnostics).toEqual([
    expect.objectContaining({ severity: "warning", code: "deprecated" }),
  ]);
});
