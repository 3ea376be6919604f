import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { pithBinary, pithInside } from "../support/inside.ts";

async function pith(
  args: readonly string[],
  { cwd = makeFolder(), env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const done = await pithInside(args, cwd, serverEnvironment({ env }));
  return { code: done.status, out: done.stdout, err: done.stderr };
}

describe("pith", () => {
  it("without arguments says what to do next", async () => {
    expect(await pith([])).toMatchObject({ code: 0, out: expect.stringContaining("pith init"), err: "" });
  });

  it("suggests the nearest command and option", async () => {
    expect(await pith(["raed"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Did you mean read"),
    });
    expect(await pith(["read", "x", "--line", "3"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Did you mean --lines?"),
    });
  });

  it("reads a range or a place, and explains an error", async () => {
    const cwd = makeFolder({ "a.txt": "one\ntwo\nthree\n" });
    expect((await pith(["read", "a.txt", "--lines", "2-"], { cwd })).out).toBe(
      "2| two\n3| three\n[of 3 lines]\n",
    );
    expect((await pith(["read", "a.txt:1", "--radius", "0"], { cwd })).out).toBe("1| one\n[of 3 lines]\n");
    expect(await pith(["read", "b.txt"], { cwd })).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringContaining("does not exist"),
    });
    expect(JSON.parse((await pith(["read", "b.txt", "--json"], { cwd })).out)).toHaveProperty(
      "error.code",
      "file_not_found",
    );
  });

  it("grep has the exit codes of grep", async () => {
    const cwd = makeFolder({ "a.txt": "--flag\n" });
    expect(await pith(["grep", "-e", "--flag"], { cwd })).toMatchObject({ code: 0, out: "a.txt:1:--flag\n" });
    expect((await pith(["grep", "nothing"], { cwd })).code).toBe(1);
    expect((await pith(["grep", "("], { cwd })).code).toBe(2);
  });

  it.skipIf(process.platform === "win32")("exits like the command that it ran", async () => {
    const cwd = makeFolder();
    const ended = (...argv: string[]) => pith(["exec", ...argv], { cwd });
    expect((await ended("--", "sh", "-c", "exit 7")).code).toBe(7);
    expect((await pithBinary(["exec", "--", "sh", "-c", "exit 7"], cwd)).status).toBe(7);
    expect((await ended("--", "sh", "-c", "kill -9 $$")).code).toBe(137);
    expect((await ended("--", "no-such-program")).code).toBe(127);
    expect(await ended("--cwd", "gone", "--", "true")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no folder .*gone\n +Name an existing folder/),
    });
  });

  it("explains a wrong option in terms of the command line", async () => {
    expect(await pith(["exec", "-v", "loud", "--", "true"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("pith exec --help shows what it takes"),
    });
    expect(await pith(["grep", "x", "-C", "many"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("pith grep --help shows what it takes"),
    });
  });

  it("search has the exit codes of grep, too", async () => {
    const cwd = makeFolder({ "a.py": "def start():\n    pass\n" });
    expect((await pith(["symbol", "start"], { cwd })).code).toBe(0);
    expect((await pith(["search", "zzqqx"], { cwd })).code).toBe(1);
    expect((await pith(["symbol", "start", "--language", "klingon"], { cwd })).code).toBe(2);
  });

  it("shows the configuration and refuses an invalid one", async () => {
    const cwd = makeFolder({ "pith.toml": "[runs]\nkeep = 7\n" });
    expect((await pith(["config", "runs"], { cwd })).out).toContain("runs.keep = 7 [repository file]");
    const settings = JSON.parse(
      (await pith(["config", "--json"], { cwd, env: { PITH_RUNS_KEEP: "9" } })).out,
    ).settings;
    expect(settings).toContainEqual(
      expect.objectContaining({ key: "runs.keep", value: 9, source: "environment" }),
    );
    expect(await pith(["config", "runz"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("Sections: server, query"),
    });
    expect(await pith(["config"], { env: { PITH_RUNS_KEEP: "many" } })).toMatchObject({
      code: 2,
      err: expect.stringContaining("runs.keep"),
    });
  });

  it("refuses settings without effect instead of ignoring them", async () => {
    const store = await pith(["grep", "x"], { env: { PITH_STORE: "mysql://me:hidden@127.0.0.1/pith" } });
    expect(store).toMatchObject({ code: 2, err: expect.stringContaining("server.store") });
    expect(store.err).not.toContain("hidden");
    const semantic = await pith(["grep", "x"], { env: { PITH_SEARCH_SEMANTIC_PROVIDER: "ollama" } });
    expect(semantic).toMatchObject({ code: 2, err: expect.stringContaining("search.semantic.model") });
  });

  it("leaves what a user types out of the statistics", async () => {
    const cwd = makeFolder({ "a.txt": "one\n" });
    const env = { PITH_DATA_DIR: makeFolder() };
    await pith(["read", "a.txt"], { cwd, env });
    const stats = JSON.parse((await pith(["stats", "--json"], { cwd, env })).out);
    expect(stats).toMatchObject({ calls: 0, tools: [] });
  });

  it("gives a tour that asks about the repository's own most used function, and changes nothing", async () => {
    const files = {
      "src/money.ts": `export function formatMoney(cents: number): string {\n  return (cents / 100).toFixed(2);\n}\n`,
      "src/cart.ts": `import { formatMoney } from "./money.ts";\nexport const total = (sum: number) => formatMoney(sum);\n`,
      "src/bill.ts": `import { formatMoney } from "./money.ts";\nexport const bill = (sum: number) => formatMoney(sum);\n`,
      "package.json": '{ "scripts": { "test": "node --eval \'require(`fs`).writeFileSync(`ran`, ``)\'" } }',
    };
    const cwd = makeFolder(files);
    spawnSync("git", ["init", "-q"], { cwd });
    const { code: status, out, err } = await pith(["tour"], { cwd });
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
    // The example of a failing build is no run of the project.
    expect((await pith(["runs"], { cwd })).out).toMatch(/^No runs in /);
  });

  it("gives a tour of an empty folder and of one without functions", async () => {
    const empty = await pith(["tour"]);
    expect(empty).toMatchObject({ code: 0, out: expect.stringContaining("has no text to search") });
    const texts = await pith(["tour"], { cwd: makeFolder({ "book.md": "# Bread\n\nFlour and water.\n" }) });
    expect(texts).toMatchObject({ code: 0, out: expect.stringContaining("pith read book.md") });
    const small = {
      "slugs.py": "def slug(s):\n    return s\n",
      "test_slug.py": "import slugs\n\ndef test_a():\n    slugs.slug(1)\n",
    };
    expect((await pith(["tour"], { cwd: makeFolder(small) })).out).toMatch(/pith read slugs\.py /);
    const types = makeFolder({
      "client.ts": "export interface HttpClient {\n  get(url: string): string;\n}\n",
      "use.ts":
        'import type { HttpClient } from "./client.ts";\nexport const load = (client: HttpClient) => client.get("/");\n',
    });
    expect((await pith(["tour"], { cwd: types })).out).toMatch(
      /pith uses HttpClient .*\n +uses of HttpClient .*1 sure/,
    );
  });

  it("doctor finds no problem in a fresh installation", async () => {
    const { code, out } = await pith(["doctor"]);
    expect(out).toContain("server (discover)");
    expect(out).toContain("All is well");
    expect(code).toBe(0);
    const broken = JSON.parse(
      (await pith(["doctor", "--json"], { env: { PITH_DATA_DIR: "/proc/no-such-place" } })).out,
    );
    expect(broken).toMatchObject({
      ok: false,
      checks: expect.arrayContaining([expect.objectContaining({ name: "data folder", ok: false })]),
    });
  });
});
