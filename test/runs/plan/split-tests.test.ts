import { expect, it } from "vitest";
import { folderFacts } from "../../../src/runs/plan/folder-facts.ts";
import { splitTests } from "../../../src/runs/plan/split-tests.ts";
import { makeFolder } from "../../support/folder.ts";

const split = async (
  script: string,
  ran: readonly { file: string; ms?: number }[],
  durationMs = 60_000,
  more: Record<string, string> = {},
) => {
  const names = ["a", "b", "c", "d"].map((name) => [`test/${name}.test.js`, "x"] as const);
  const manifest = { scripts: { test: script }, devDependencies: { vitest: "1", jest: "1", mocha: "1" } };
  const cwd = makeFolder({ "package.json": JSON.stringify(manifest), ...Object.fromEntries(names), ...more });
  const folder = await folderFacts(cwd, cwd);
  const plans = await splitTests({ count: 3, cwd, folder, ran, durationMs });
  return plans?.map(({ display }) => display);
};
const RAN = [
  { file: "test/a.test.js", ms: 100 },
  { file: "test/b.test.js", ms: 900 },
  { file: "test/c.test.js", ms: 450 },
  { file: "test/d.test.js", ms: 500 },
  { file: "test/gone.test.js", ms: 5_000 },
];

it("gives every part about the same time, and the last one all files that no other part has", async () => {
  expect(await split("vitest run", RAN)).toEqual([
    "vitest run test/b.test.js",
    "vitest run test/c.test.js test/a.test.js",
    "npm test -- --exclude test/b.test.js --exclude test/c.test.js --exclude test/a.test.js",
  ]);
  expect(await split("mocha test", RAN.slice(0, 2))).toEqual([
    "mocha test/b.test.js",
    "npm test -- --ignore test/b.test.js",
  ]);
});

it("leaves the parts to the runner if the files are unknown or it may not follow an exclusion", async () => {
  const parts = ["1/3", "2/3", "3/3"].map((part) => `npm test -- --shard=${part} --passWithNoTests`);
  expect(await split("vitest run", [])).toEqual(parts);
  expect(await split("jest", RAN)).toEqual(parts);
  const projects = { "vitest.config.ts": "export default { test: { projects: [] } };" };
  expect(await split("vitest run", RAN, 60_000, projects)).toEqual(parts);
});

it("does not split what is short, or what does not end with a runner that can", async () => {
  expect(await split("vitest run", RAN, 3_000)).toBeUndefined();
  expect(await split("mocha test", [])).toBeUndefined();
  expect(await split("vitest run && eslint .", RAN)).toBeUndefined();
  expect(await split("sh test.sh", RAN)).toBeUndefined();
});
