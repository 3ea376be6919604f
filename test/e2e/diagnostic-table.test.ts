import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { readList } from "../render/list/parse-list.ts";
import { readTable, sumOf } from "../render/list/parse-table.ts";
import { call, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const TSC = join(import.meta.dirname, "../../node_modules/typescript/bin/tsc");
const COMMAND = `node ${TSC} --noEmit --strict --lib es5 --skipLibCheck src/prices.ts src/names.ts`;
const PROJECT = {
  "src/prices.ts": Array.from({ length: 60 }, (_, i) => `export const price${i}: number = "${i}";`).join(
    "\n",
  ),
  "src/names.ts": Array.from({ length: 60 }, (_, i) => `export const name${i} = title${i};`).join("\n"),
};
const NAMES = Array.from({ length: 60 }, (_, i) => ({
  head: `error TS2304: Cannot find name 'title${i}'.`,
  file: "src/names.ts",
  line: i + 1,
}));
const PRICES = Array.from({ length: 60 }, (_, i) => ({
  head: "error TS2322: Type 'string' is not assignable to type 'number'.",
  file: "src/prices.ts",
  line: i + 1,
}));

/** The list of diagnostics in a reply, without its first line and the output below it. */
function listIn(text: string): string {
  const lines = text.split("\n").slice(1);
  const end = lines.indexOf("stdout:");
  return lines
    .slice(0, end < 0 ? undefined : end)
    .filter((line) => !line.startsWith("matching "))
    .join("\n");
}

describe("many diagnostics of a real compiler", () => {
  it("are counted in a table over MCP, and listed by the calls that it names", async () => {
    const client = await connect(makeFolder(PROJECT));
    const text = await call(client, "build", { action: "exec", tool: COMMAND });
    expect(text).toMatch(/^FAIL exit [12], 120 errors/);
    expect(estimateTokens(text)).toBeLessThan(700);
    expect(text).toContain(" 60 error TS2322: src/prices.ts:1 Type 'string' is not assignable");
    const table = readTable(text);
    expect([sumOf(table?.rules ?? []), sumOf(table?.files ?? [])]).toEqual([120, 120]);
    const [, runId = ""] =
      /^all 120: build action=log runId=(\w+) verbosity=normal max_tokens=9000; of one file or rule: add grep=REGEX$/m.exec(
        text,
      ) ?? [];
    const args = { action: "log", runId, verbosity: "normal", max_tokens: 9_000 };
    const all = readList(listIn(await call(client, "build", args)));
    expect(all).toHaveLength(120);
    expect(all).toEqual(expect.arrayContaining([...PRICES, ...NAMES]));
    for (const grep of ["names\\.ts", "TS2304", "Cannot find"]) {
      const some = await call(client, "build", { ...args, grep });
      expect(some).toContain(`matching ${JSON.stringify(grep)}: 60 of 120 diagnostics\n`);
      expect(readList(listIn(some))).toEqual(NAMES);
    }
    const none = await call(client, "build", { ...args, grep: "TS9999" });
    expect(none.split("\n").slice(1)).toEqual(['matching "TS9999": 0 of 120 diagnostics']);
  });

  it("are counted in the first reply of bash, and listed if a verbosity is asked for", async () => {
    const client = await connect(makeFolder(PROJECT));
    const text = await call(client, "bash", { command: `${COMMAND} | tail -2` });
    expect(sumOf(readTable(text)?.rules ?? [])).toBe(120);
    expect(text).toMatch(/output:\n.*names.*\n.*names.*$|output:\n.*prices.*\n.*prices.*$/);
    const all = await call(client, "bash", { command: COMMAND, verbosity: "normal", max_tokens: 9_000 });
    expect(readList(listIn(all))).toHaveLength(120);
  });

  it("are counted and listed on the command line", async () => {
    const cwd = makeFolder(PROJECT);
    const env = serverEnvironment({});
    const pith = async (...args: string[]): Promise<string> =>
      (await pithInside(args, cwd, env)).stdout.trimEnd();
    const text = await pith("exec", COMMAND);
    expect(sumOf(readTable(text)?.files ?? [])).toBe(120);
    const [, words = ""] = /^all 120: pith (.*); of one file or rule: add --grep REGEX$/m.exec(text) ?? [];
    expect(readList(listIn(await pith(...words.split(" "))))).toHaveLength(120);
    expect(readList(listIn(await pith(...words.split(" "), "--grep", "TS2304")))).toEqual(NAMES);
  });
});
