import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";

const tools = join(import.meta.dirname, "../../src/diagnostics/tools");

function parse(args: readonly string[], input = ""): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [BINARY, "parse", ...args], {
    cwd: makeFolder(),
    env: serverEnvironment({}),
    encoding: "utf8",
    input,
    timeout: 30_000,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("pith parse", () => {
  it("reads a file and exits with 1 where errors were found", () => {
    const { code, out } = parse([join(tools, "tsc/fixtures/plain.txt")]);
    expect(code).toBe(1);
    expect(out).toContain(
      "src/main.ts\n E TS6133: '…' is declared but its value is never read.\n  2 missing, 6 unused\n",
    );
    expect(out).toMatch(/14 errors\n$/);
  });

  it("reads a pipe and gives every diagnostic as JSON", () => {
    const { code, out } = parse(["--json"], readFileSync(join(tools, "tsc/fixtures/config.txt"), "utf8"));
    const answer = JSON.parse(out);
    expect(code).toBe(1);
    expect(answer.diagnostics).toHaveLength(4);
    expect(answer.diagnostics[0]).toMatchObject({ tool: "tsc", severity: "error", code: "TS18003" });
    expect(answer.diagnostics[1]).toMatchObject({ file: "tsconfig.json", line: 1, column: 21 });
    expect(answer).not.toHaveProperty("summary");
  });

  it("gives one summary of the tests with the failures by name", () => {
    const { code, out } = parse([join(tools, "junit/fixtures/vitest.txt"), "--json"]);
    const { summary } = JSON.parse(out);
    expect(code).toBe(1);
    expect(summary).toMatchObject({ passed: 1, failed: 3, skipped: 1, total: 5, failed_suites: 1 });
    expect(summary.failures.map((one: { name: string }) => one.name)).toContain("cart > adds");
  });

  it("exits with 0 and says what was read where there is nothing", () => {
    expect(parse([], "all is well\n")).toEqual({ code: 0, out: "no errors found in 1 lines\n", err: "" });
    expect(parse([join(tools, "trx/fixtures/pass.txt")])).toMatchObject({
      code: 0,
      out: "PASS trx 2 passed\n",
    });
    expect(parse(["--json"], "")).toMatchObject({
      code: 0,
      out: '{"diagnostics":[],"tools":[],"lines":0}\n',
    });
  });

  it("knows a tool by its id, its subcommand, or another name", () => {
    const log = readFileSync(join(tools, "tsc/fixtures/plain.txt"), "utf8");
    for (const name of ["tsc", "vue-tsc", "tsc-build", "TypeScript"])
      expect(JSON.parse(parse(["--tool", name, "--json"], log).out).diagnostics).toHaveLength(14);
  });

  it("names what is wrong with its arguments", () => {
    expect(parse(["--tool", "tscc", "x"])).toMatchObject({
      err: expect.stringContaining("Did you mean tsc"),
    });
    expect(parse(["no-such.log"])).toMatchObject({
      out: "",
      err: expect.stringContaining("cannot read no-such.log"),
    });
    expect(parse(["a", "b"])).toMatchObject({ out: "", err: expect.stringContaining("name one file") });
    expect(parse(["--max-tokens", "many"], "x")).toMatchObject({
      err: expect.stringContaining("--max-tokens"),
    });
  });
});
