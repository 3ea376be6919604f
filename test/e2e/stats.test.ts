import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const FUNCTIONS = Array.from(
  { length: 120 },
  (_, i) =>
    `export function step${i}(value: number): number {\n  const doubled = value * 2;\n  return doubled + ${i};\n}\n`,
).join("\n");

it("pith stats counts the saved tokens, minus later retrievals and the tool list", async () => {
  const cwd = makeFolder({ "steps.ts": FUNCTIONS });
  const dataFolder = makeFolder();
  const client = await connect(cwd, { dataFolder });
  await client.listTools();
  await call(client, "read", { file_path: "steps.ts", context_focus_question: "what does step77 return?" });
  await call(client, "read", { file_path: "steps.ts", start_line: 1, end_line: 5 });
  const failed = await call(client, "build", { action: "exec", tool: "sh -c 'seq 4000; exit 3'" });
  const runId = /run ([0-9a-z]{5,8})/.exec(failed)?.[1];
  await call(client, "build", { action: "log", runId, startLine: 10, lineCount: 5 });
  await call(client, "search_code", { query: "step12" });
  await client.close();
  const env = serverEnvironment({ dataFolder });
  const run = async (args: readonly string[]) => (await pithInside(["stats", ...args], cwd, env)).stdout;
  const { calls, total, tools, days } = JSON.parse(await run(["--json"]));
  const of = (name: string) => tools.find((tool: { name: string }) => tool.name === name);
  expect(calls).toBe(5);
  expect(total.toolLists).toBeGreaterThan(1_000);
  expect(of("read").retrieved).toBeGreaterThan(0);
  expect(of("read").compared.raw).toBeGreaterThan(of("read").compared.returned);
  expect(of("build").retrieved).toBeGreaterThan(0);
  // An unknown client is assumed to have the smallest output limit.
  expect(of("build").compared.raw).toBeLessThanOrEqual(7_500);
  expect(of("search_code")).toMatchObject({ calls: 1, compared: { raw: 0 }, net: 0 });
  const sum = tools.reduce((all: number, tool: { net: number }) => all + tool.net, 0);
  expect(total.net).toBe(sum - total.toolLists);
  expect(days).toHaveLength(1);
  const page = await run([]);
  expect(page).toMatch(/^ {2}tool lists +[\d,]+ +-[\d,]+ +-[\d,]+$/m);
  expect(page).toMatch(/^ {2}\d{4}-\d\d-\d\d +▒+\|█+ -?[\d,]+$/m);
  // The tool list is read before the first of the five calls and after each.
  const lists = /^ {2}tool lists .* (\S+)$/m.exec(page)?.[1];
  expect(lists).toBe((-6 * total.toolLists).toLocaleString("en-US"));
  expect(total.resident.calls).toBe(5);
});

it("pith stats counts neither the user's own commands nor the tour", async () => {
  const cwd = makeFolder({ "steps.ts": FUNCTIONS });
  const dataFolder = makeFolder();
  const env = serverEnvironment({ dataFolder });
  const run = (...args: string[]) => pithInside(args, cwd, env);
  for (const args of [
    ["read", "steps.ts"],
    ["read", "missing.ts"],
    ["search", "step12"],
    ["exec", "--", "node", "-e", "1"],
    ["tour"],
  ])
    await run(...args);
  expect((await run("stats")).stdout).toMatch(/^No calls by agents yet/);
  // A client that is not asked for its tools pays for its calls alone.
  const client = await connect(cwd, { dataFolder });
  await call(client, "bash", { command: "echo hello" });
  await client.close();
  // An older version recorded a command of the user like this.
  const day = new Date().toISOString();
  appendFileSync(
    join(dataFolder, "data", "usage", `${day.slice(0, 10)}.jsonl`),
    `${JSON.stringify({ time: day, tool: "read", tokens: 900, raw_tokens: 5_000, failed: false, duration_ms: 1 })}\n`,
  );
  const { calls, tools, total } = JSON.parse((await run("stats", "--json")).stdout);
  expect(calls).toBe(1);
  expect(tools).toMatchObject([{ name: "bash", calls: 1 }]);
  // The reply says more than the word that the command printed, and that is a loss.
  expect(total).toMatchObject({ saved: 0, lost: { calls: 1, tokens: expect.any(Number) } });
  expect(total.lost.tokens).toBeGreaterThan(0);
  expect(total.net).toBe(0 - total.lost.tokens);
  expect((await run("stats")).stdout).toMatch(/^ {2}\d{4}-\d\d-\d\d +▒+\| -\d+$/m);
});
