import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, it } from "vitest";
import { call, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const HEAD = "import assert from 'node:assert'; import { test } from 'node:test';\n";
const fails = (name: string): string => `test('${name}', () => assert.equal(1, 2));\n`;
const passes = (name: string): string => `test('${name}', () => assert.equal(1, 1));\n`;
/** Longer than the kernel's clock for times of files is behind: up to 10 ms. */
const CLOCK_LAG_MS = 30;

/** Writes a file with a later time than the run that has just ended; a file of the same time may be older than it. */
async function edit(file: string, text: string): Promise<void> {
  await delay(CLOCK_LAG_MS);
  writeFileSync(file, text);
}

it("a second run over MCP says what was fixed, what is gone and what was not run", async () => {
  const folder = makeFolder({ "b.test.mjs": HEAD + fails("c") });
  const write = (text: string): Promise<void> => edit(join(folder, "a.test.mjs"), HEAD + text);
  const client = await connect(folder);
  const run = { action: "exec", tool: "node --test" };
  await write(fails("a") + fails("b"));
  expect(await call(client, "build", run)).toMatch(/^FAIL \S+ 3\/3 failed/);

  await write(`import './nowhere.mjs';\n${passes("a")}`);
  const broken = await call(client, "build", run);
  expect(broken).not.toContain("fixed");
  expect(broken).toMatch(/1 gone, 1 not run, 1 new, 1 unchanged\ngone: b\nnot run: a\n/);

  await write(passes("a"));
  rmSync(join(folder, "b.test.mjs"));
  const mended = JSON.parse(await call(client, "build", { ...run, response_format: "json" })) as Record<
    string,
    unknown
  >;
  expect(mended).toMatchObject({ success: true, delta: { new: [], unchanged: 0 } });
  expect(mended["delta"]).toMatchObject({ fixed: [{ test: "a.test.mjs" }], gone: [{ test: "c" }] });
  expect(mended["delta"]).not.toHaveProperty("notRun");
});

it("a second run on the command line says the same", async () => {
  const folder = makeFolder({ "a.test.mjs": HEAD + fails("a") });
  const env = serverEnvironment();
  const pith = (...args: string[]) => pithInside(["exec", ...args], folder, env);
  await pith("--", "node", "--test");
  await edit(
    join(folder, "a.test.mjs"),
    `${HEAD}await new Promise((done) => setTimeout(done, 60_000));\n${passes("a")}`,
  );
  const late = await pith("--timeout", "6", "--", "node", "--test");
  expect(late.stdout).toMatch(/^FAIL timed out after .*, 1 not run, run \w+\nnot run: a\n/);
  expect(late.status).toBe(124);
  await edit(join(folder, "a.test.mjs"), HEAD + passes("a"));
  const mended = await pith("--json", "--", "node", "--test");
  expect(JSON.parse(mended.stdout)).toMatchObject({ success: true, delta: { fixed: [{ test: "a" }] } });
});
