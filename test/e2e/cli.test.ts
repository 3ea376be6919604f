import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { BINARY, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";

function pith(
  args: readonly string[],
  { cwd = makeFolder(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): {
  code: number | null;
  out: string;
  err: string;
} {
  const done = spawnSync(process.execPath, [BINARY, ...args], {
    cwd,
    env: serverEnvironment({ env }),
    encoding: "utf8",
    timeout: 30_000,
  });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("pith", () => {
  it("without arguments says what to do next", () => {
    expect(pith([])).toMatchObject({ code: 0, out: expect.stringContaining("pith init"), err: "" });
  });

  it("suggests the nearest command and option", () => {
    expect(pith(["raed"])).toMatchObject({ code: 2, err: expect.stringContaining("Did you mean read") });
    expect(pith(["read", "x", "--line", "3"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Did you mean --lines?"),
    });
  });

  it("reads a range or a place, and explains an error", () => {
    const cwd = makeFolder({ "a.txt": "one\ntwo\nthree\n" });
    expect(pith(["read", "a.txt", "--lines", "2-"], { cwd }).out).toBe("2| two\n3| three\n[of 3 lines]\n");
    expect(pith(["read", "a.txt:1", "--radius", "0"], { cwd }).out).toBe("1| one\n[of 3 lines]\n");
    expect(pith(["read", "b.txt"], { cwd })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("does not exist"),
    });
    expect(JSON.parse(pith(["read", "b.txt", "--json"], { cwd }).out)).toHaveProperty(
      "error.code",
      "file_not_found",
    );
  });

  it("grep has the exit codes of grep", () => {
    const cwd = makeFolder({ "a.txt": "--flag\n" });
    expect(pith(["grep", "-e", "--flag"], { cwd })).toMatchObject({ code: 0, out: "a.txt:1:--flag\n" });
    expect(pith(["grep", "nothing"], { cwd }).code).toBe(1);
    expect(pith(["grep", "("], { cwd }).code).toBe(2);
  });

  it.skipIf(process.platform === "win32")("exits like the command that it ran", () => {
    const cwd = makeFolder();
    const ended = (...argv: string[]) => pith(["exec", ...argv], { cwd });
    expect(ended("--", "sh", "-c", "exit 7").code).toBe(7);
    expect(ended("--", "sh", "-c", "kill -9 $$").code).toBe(137);
    expect(ended("--", "no-such-program").code).toBe(127);
    expect(ended("--cwd", "gone", "--", "true")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no folder .*gone\n +Pass an existing folder/),
    });
  });

  it("explains a wrong option in terms of the command line", () => {
    expect(pith(["exec", "-v", "loud", "--", "true"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("pith exec --help shows what it takes"),
    });
    expect(pith(["grep", "x", "-C", "many"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("pith grep --help shows what it takes"),
    });
  });

  it("search has the exit codes of grep, too", () => {
    const cwd = makeFolder({ "a.py": "def start():\n    pass\n" });
    expect(pith(["symbol", "start"], { cwd }).code).toBe(0);
    expect(pith(["search", "zzqqx"], { cwd }).code).toBe(1);
    expect(pith(["symbol", "start", "--language", "klingon"], { cwd }).code).toBe(2);
  });

  it("shows the configuration and refuses an invalid one", () => {
    const cwd = makeFolder({ "pith.toml": "[runs]\nkeep = 7\n" });
    expect(pith(["config", "runs"], { cwd }).out).toContain("runs.keep = 7 [repository file]");
    const settings = JSON.parse(
      pith(["config", "--json"], { cwd, env: { PITH_RUNS_KEEP: "9" } }).out,
    ).settings;
    expect(settings).toContainEqual(
      expect.objectContaining({ key: "runs.keep", value: 9, source: "environment" }),
    );
    expect(pith(["config", "runz"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Sections: server, query"),
    });
    expect(pith(["config"], { env: { PITH_RUNS_KEEP: "many" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining("runs.keep"),
    });
  });

  it("refuses settings without effect instead of ignoring them", () => {
    const store = pith(["grep", "x"], { env: { PITH_STORE: "mysql://me:hidden@127.0.0.1/pith" } });
    expect(store).toMatchObject({ code: 2, err: expect.stringContaining("server.store") });
    expect(store.err).not.toContain("hidden");
    const semantic = pith(["grep", "x"], { env: { PITH_SEARCH_SEMANTIC_PROVIDER: "ollama" } });
    expect(semantic).toMatchObject({ code: 2, err: expect.stringContaining("search.semantic.model") });
  });

  it("leaves what a user types out of the statistics", () => {
    const cwd = makeFolder({ "a.txt": "one\n" });
    const env = { PITH_DATA_DIR: makeFolder() };
    pith(["read", "a.txt"], { cwd, env });
    const stats = JSON.parse(pith(["stats", "--json"], { cwd, env }).out);
    expect(stats).toMatchObject({ calls: 0, tools: [] });
  });

  it("gives a tour that asks about the repository's own most used function, and changes nothing", () => {
    const files = {
      "src/money.ts": `export function formatMoney(cents: number): string {\n  return (cents / 100).toFixed(2);\n}\n`,
      "src/cart.ts": `import { formatMoney } from "./money.ts";\nexport const total = (sum: number) => formatMoney(sum);\n`,
      "src/bill.ts": `import { formatMoney } from "./money.ts";\nexport const bill = (sum: number) => formatMoney(sum);\n`,
      "package.json": '{ "scripts": { "test": "node --eval \'require(`fs`).writeFileSync(`ran`, ``)\'" } }',
    };
    const cwd = makeFolder(files);
    spawnSync("git", ["init", "-q"], { cwd });
    const { code: status, out, err } = pith(["tour"], { cwd });
    expect(status).toBe(0);
    for (const part of [
      "pith outline",
      'pith search "how does format money work"',
      "pith callers formatMoney",
      "2 sure in 2 files",
      'pith read src/money.ts --focus "How does formatMoney work?"',
      "TS2304",
      "Your own tests (npm test) were not run: pith test runs them.",
      "pith init",
    ])
      expect(out).toContain(part);
    // The progress bar overwrites its line, so it is only for a terminal.
    expect(err).not.toMatch(/\r|\[#/);
    expect(spawnSync("git", ["status", "--porcelain"], { cwd, encoding: "utf8" }).stdout).toBe(
      "?? package.json\n?? src/\n",
    );
  });

  it("gives a tour of an empty folder and of one without functions", () => {
    const empty = pith(["tour"]);
    expect(empty).toMatchObject({ code: 0, out: expect.stringContaining("has no text to search") });
    const texts = pith(["tour"], { cwd: makeFolder({ "book.md": "# Bread\n\nFlour and water.\n" }) });
    expect(texts).toMatchObject({ code: 0, out: expect.stringContaining("pith read book.md") });
  });

  it("doctor finds no problem in a fresh installation", () => {
    const { code, out } = pith(["doctor"]);
    expect(out).toContain("server (discover)");
    expect(out).toContain("All is well");
    expect(code).toBe(0);
    const broken = JSON.parse(
      pith(["doctor", "--json"], { env: { PITH_DATA_DIR: "/proc/no-such-place" } }).out,
    );
    expect(broken).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([expect.objectContaining({ name: "data folder", ok: false })]),
    });
  });
});
