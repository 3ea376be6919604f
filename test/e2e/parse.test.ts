import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { pithInside } from "../support/inside.ts";

const tools = join(import.meta.dirname, "../fixtures");

async function parse(
  args: readonly string[],
  input = "",
  cwd = makeFolder(),
): Promise<{ code: number | null; out: string; err: string }> {
  const done = await pithInside(["parse", ...args], cwd, serverEnvironment(), input);
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("pith parse", () => {
  it("reads a file and exits with 1 if it contains errors", async () => {
    const { code, out } = await parse([join(tools, "tsc/plain.txt")]);
    expect(code).toBe(1);
    expect(out).toContain(" 6 error TS6133: 'unused' is declared but its value is never read.\n");
    expect(out).toMatch(/^FAIL 14 errors\n/);
  });

  it("counts many errors in a table, says how many were not kept, and lists them with --all", async () => {
    const log = Array.from(
      { length: 10_200 },
      (_, i) => `src/a${i % 9}.c:${i + 1}:2: error: no name x${i}\n`,
    );
    const { out } = await parse([], log.join(""));
    expect(out).toMatch(
      /^FAIL 10200 errors\nby rule:\n 10000 error in 9 files, such as src\/a0\.c:1 no name x0;/,
    );
    expect(out).toContain(
      "\nall 10000: add --all, or --json\n200 diagnostics more in the log, too many to keep\n",
    );
    const all = (await parse(["--all"], log.slice(0, 60).join(""))).out;
    for (let i = 0; i < 60; i++) expect(all).toContain(`error: no name x${i}\n`);
  });

  it("reads a log with the tools that the repository describes, detected or named", async () => {
    const cwd = makeFolder({
      "pith.toml": [
        "[tools.mixer]",
        'command = "mixer"',
        'signatures = ["Mixer 3"]',
        "[tools.mixer.format]",
        String.raw`complaints = ['^MIX (?<file>\S+) @ (?<line>\d+) ! (?<message>.*)$']`,
      ].join("\n"),
    });
    const complaint = "MIX a.mix @ 7 ! lumps\n";
    const expected = [{ tool: "mixer", severity: "error", file: "a.mix", line: 7, message: "lumps" }];
    const detected = await parse(["--json"], `Mixer 3.1\n${complaint}`, cwd);
    expect(detected.code).toBe(1);
    expect(JSON.parse(detected.out)).toMatchObject({ status: "failed", diagnostics: expected });
    const named = await parse(["--json", "--tool", "mixer"], complaint, cwd);
    expect(named.err).toBe("");
    expect(JSON.parse(named.out).diagnostics).toMatchObject(expected);
  });

  it("calls a run without a test neither passed nor failed", async () => {
    const { code, out } = await parse([join(tools, "go-test/no-tests-to-run.txt")]);
    expect(out).toBe("go-test no test ran\n");
    expect(code).toBe(0);
  });

  it("masks secrets and names their lines in the log", async () => {
    // The secret is assembled here, so that no secret scanner reports this file.
    const token = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");
    const log = `make: start\nsrc/a.c:3:4: error: bad token ${token}\n`;
    const text = (await parse([], log)).out;
    expect(text).toContain("bad token (secret-masked)");
    expect(text).toMatch(/\n\[1 secret masked in the log: line 2\]\n$/);
    const answer = JSON.parse((await parse(["--json"], log)).out);
    expect(answer.diagnostics[0].message).toBe("bad token (secret-masked)");
    expect(answer.masked).toEqual({ count: 1, places: ["2"] });
  });

  it("reads a pipe and prints every diagnostic as JSON", async () => {
    const { code, out } = await parse(["--json"], readFileSync(join(tools, "tsc/config.txt"), "utf8"));
    const answer = JSON.parse(out);
    expect(code).toBe(1);
    expect(answer.diagnostics).toHaveLength(4);
    expect(answer.diagnostics[0]).toMatchObject({ tool: "tsc", severity: "error", code: "TS18003" });
    expect(answer.diagnostics[1]).toMatchObject({ file: "tsconfig.json", line: 1, column: 21 });
    expect(answer).not.toHaveProperty("summary");
  });

  it("prints one summary of all tests with the names of the failures", async () => {
    const { code, out } = await parse([join(tools, "junit/vitest.txt"), "--json"]);
    const { summary } = JSON.parse(out);
    expect(code).toBe(1);
    expect(summary).toMatchObject({ passed: 1, failed: 3, skipped: 1, total: 5, failed_suites: 1 });
    expect(summary.failures.map((one: { name: string }) => one.name)).toContain("cart > adds");
  });

  it("refuses a folder and a named pipe, which would wait for a writer", async () => {
    const cwd = makeFolder({ "logs/a.txt": "" });
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    expect(await parse(["logs"], "", cwd)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^pith: parse: logs is a folder\n.*pith ci FOLDER\n$/),
    });
    expect(await parse(["pipe"], "", cwd)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^pith: parse: pipe is a named pipe\n.*pith parse < FILE\n$/),
    });
  });

  it("counts what it lists, with --all as without", async () => {
    const log = "src/a.c:10:5: error: 'foo' undeclared\nmake: *** [Makefile:3: a.o] Error 1\n";
    expect((await parse([], log)).out).toMatch(/^FAIL 1 error\n/);
    expect((await parse(["--all"], log)).out).toMatch(/^FAIL 2 errors\n/);
  });

  it("exits with 0 and says what was read if there are no findings", async () => {
    expect(await parse([], "")).toEqual({ code: 0, out: "the log is empty\n", err: "" });
    expect(await parse([], "all is well\n")).toEqual({
      code: 0,
      out: "no errors found in 1 lines\n",
      err: "",
    });
    expect(await parse([join(tools, "trx/pass.txt")])).toMatchObject({
      code: 0,
      out: "PASS trx 2 passed\n",
    });
    expect(await parse(["--json"], "")).toMatchObject({
      code: 0,
      out: '{"status":"clean","diagnostics":[],"tools":[],"lines":0}\n',
    });
  });

  it("never says PASS against the verdict of a CI system, and shows the output of the failed step", async () => {
    const passing = readFileSync(join(tools, "vitest/pass.txt"), "utf8").trimEnd();
    const log = [
      passing,
      'The command "npm test" exited with 0.',
      "$ ./check-links",
      "docs/a.md links to b.md, which is not there",
      'The command "./check-links" exited with 3.',
      "Done. Your build exited with 1.",
    ].join("\n");
    const { code, out } = await parse([], log);
    expect(code).toBe(1);
    expect(out).toMatch(
      /^FAIL The command "\.\/check-links" exited with 3\. \(line \d+\); no error was recognised:\n \$ \.\/check-links\n docs\/a\.md links to b\.md, which is not there\nvitest \d+ passed/,
    );
    expect(out).not.toContain("PASS");
    const json = JSON.parse((await parse(["--json"], log)).out);
    expect(json).toMatchObject({
      status: "failed",
      ci: {
        outcome: "failed",
        text: "Done. Your build exited with 1.",
        failed_steps: [{ text: 'The command "./check-links" exited with 3.', explained: false }],
      },
    });
  });

  it("reports a pass if the CI system does, and still shows what failed", async () => {
    const log = `${readFileSync(join(tools, "pytest/fail.txt"), "utf8")}Finished: SUCCESS\n`;
    const { code, out } = await parse([], log);
    expect(code).toBe(0);
    expect(out).toMatch(/^ok by its CI: Finished: SUCCESS \(line \d+\); on the way:\nFAIL pytest /);
  });

  it("begins with FAIL if one of several test runners failed", async () => {
    const both = ["vitest/pass.txt", "pytest/fail.txt"].map((one) => readFileSync(join(tools, one), "utf8"));
    const { code, out } = await parse([], both.join("\n"));
    expect(code).toBe(1);
    expect(out).toMatch(/^FAIL pytest /);
    expect(out).not.toMatch(/^PASS/m);
  });

  it("accepts the id of a tool, its subcommand, or an alias", async () => {
    const log = readFileSync(join(tools, "tsc/plain.txt"), "utf8");
    for (const name of ["tsc", "vue-tsc", "tsc-build", "TypeScript"])
      expect(JSON.parse((await parse(["--tool", name, "--json"], log)).out).diagnostics).toHaveLength(14);
  });

  it("explains wrong arguments", async () => {
    expect(await parse(["--tool", "tscc", "x"])).toMatchObject({
      err: expect.stringContaining("Did you mean tsc"),
    });
    expect(await parse(["no-such.log"])).toMatchObject({
      out: "",
      err: expect.stringContaining("cannot read no-such.log"),
    });
    expect(await parse(["a", "b"])).toMatchObject({ out: "", err: expect.stringContaining("name one file") });
    expect(await parse(["--max-tokens", "many"], "x")).toMatchObject({
      err: expect.stringContaining("--max-tokens"),
    });
  });
});
