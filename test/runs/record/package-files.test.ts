import { describe, expect, it } from "vitest";
import { compareText } from "../../../src/kernel/nearest.ts";
import { FindingsReader } from "../../../src/runs/record/findings.ts";
import { makeFolder } from "../../support/folder.ts";

const ERROR = "src/a.ts(1,7): error TS2322: Type 'string' is not assignable to type 'number'.";

const API = "packages/api/src/a.ts";
const WEB = "packages/web/src/a.ts";

/** Logs in which each monorepo tool reports the same error in two packages. */
const LOGS: Readonly<Record<string, string>> = {
  npm: `> @shop/api@1.0.0 build\n> tsc\n\n${ERROR}\n\n> @shop/web@1.0.0 build\n> tsc\n\n${ERROR}\n`,
  turbo: `@shop/api:build: cache miss, executing 01\n@shop/web:build: cache miss, executing 02\n@shop/api:build: ${ERROR}\n@shop/web:build: ${ERROR}\n`,
  pnpm: `packages/api build$ tsc\npackages/web build$ tsc\npackages/web build: ${ERROR}\npackages/api build: ${ERROR}\n`,
  yarn: `[@shop/api]: ${ERROR}\n[@shop/web]: ${ERROR}\n`,
  nx: `> nx run @shop/api:build\n\n${ERROR}\n\n> nx run @shop/web:build\n\n${ERROR}\n`,
  make: `make[1]: Entering directory '/SHOP/packages/api'\n${ERROR}\nmake[1]: Leaving directory '/SHOP/packages/api'\nmake[1]: Entering directory '/SHOP/packages/web'\n${ERROR}\nmake[1]: Leaving directory '/SHOP/packages/web'\n`,
};

async function filesIn(log: string): Promise<string[]> {
  const cwd = makeFolder({
    "package.json": '{ "name": "shop", "workspaces": ["packages/*"] }',
    "packages/api/package.json": '{ "name": "@shop/api" }',
    "packages/web/package.json": '{ "name": "@shop/web" }',
    [API]: "",
    [WEB]: "",
  });
  const reader = new FindingsReader({ cwd, expected: [], testsExpected: false });
  reader.write("stdout", Buffer.from(log.replaceAll("/SHOP", cwd)));
  return (await reader.end()).diagnostics.map((one) => one.file ?? "").sort(compareText);
}

describe("files that a tool names from inside a package", () => {
  it.each(Object.entries(LOGS))("become relative to the command's folder: %s", async (_, log) => {
    expect(await filesIn(log)).toEqual([API, WEB]);
  });

  it("stay unchanged if no such package contains them", async () => {
    const log = `> @shop/other@1.0.0 build\n> tsc\n\n${ERROR}\n[@shop/api]: src/b.ts(1,1): error TS1005: ';' expected.\n`;
    expect(await filesIn(log)).toEqual(["src/a.ts", "src/b.ts"]);
  });
});
