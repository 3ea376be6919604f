import { chmodSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS, GROUP_TITLES } from "../../src/cli/commands.ts";
import { TOOLS } from "../../src/app/registry.ts";
import { serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { type Printed, pithInside } from "../support/inside.ts";

/** The home folder of these tests is the workspace, and their data is beside it. */
function pith(argv: readonly string[], cwd: string): Promise<Printed> {
  return pithInside(argv, cwd, { ...serverEnvironment({ dataFolder: join(cwd, "../.data") }), HOME: cwd });
}

/** Names that only an agent's call of a tool has; a person types flags and verbs. */
const SCHEMA_NAMES = new Set(
  TOOLS.flatMap(({ name, fields }) => [name, ...Object.keys(fields)]).filter((name) =>
    /_|[a-z][A-Z]/.test(name),
  ),
);

/** Words of an agent's calls, and the names of system errors, which say nothing to a person. */
const FOREIGN_WORDS = /\bcalls? again\b|\bthe call\b|\ballowed root\b|^pith: .*\bE[A-Z]{4,}:/m;

/** Typical mistakes with each verb. */
const MISTAKES = `
  read
  read missing.js
  read a.js:0
  runs 3
  doctor extra
  stats extra
  parse .
  search --limit
  read a.js --lines 5-2
  read a.js --lines abc
  read a.js --around x
  read a.js --around 999
  read a.js:900-910
  read a.js#nope
  read .
  read a.js --max-tokens 10
  read run:r123456
  read a.js --keep 7
  read a.js --column 0
  read a.js --column 3
  read a.js --around 3 --lines 1-2
  read a.js --radius 9999 --around 2
  read a.js --radius 2
  search
  search tax --limit 900
  search tax --kind blah
  search tax --language klingon
  search tax --detail huge
  search tax --explain yes
  search tax --cursor bad
  search tax --ref nosuch
  search tax --mode blah
  search tax --workspace nope
  search tax --max-tokens 1
  symbol
  symbol x --kind zzz
  callers
  uses a b
  outline nope.js
  outline a b
  outline no/such/nope.js
  outline a.js --cursor bad
  outline a.js --max-tokens x
  grep
  grep (
  grep x nosuch
  grep x --max-matches 0
  grep x --cursor bad
  changes nosuch
  exec
  exec --cwd nosuch -- true
  exec --timeout soon -- true
  exec --verbosity loud -- true
  test
  test x
  test --filter x
  logs
  logs r123456
  logs r123456 --lines 9-2
  logs r123456 --stream x
  logs r123456 --wait long
  runs --stop r123456
  parse nosuch.log
  parse work
  serve --workspace /nosuch
  test nosuch/
  jobs j1
  ci nosuch.zip
  index nosuch
  sync --ref nosuch
  projects rm
  projects rm nope
  stats --days x
  config nosuch.key
  tools test
  tools test nosuch
  init --scope galaxy
  run
  run -- nosuchprogram
  jobs
  workers
  worker
  store
  completion
  completion tcsh
  serve --toolsets nosuch
  serve --max-tokens 3
`
  .trim()
  .split("\n")
  .map((line) => line.trim());

it.skipIf(process.getuid?.() === 0)("says whose file it cannot read, and where to look", async () => {
  const cwd = makeFolder({ "a.log": "x\n" });
  chmodSync(join(cwd, "a.log"), 0);
  for (const verb of ["read", "parse"])
    expect((await pith([verb, "a.log"], cwd)).stderr).toMatch(
      /^pith: .*a\.log: permission denied\n.*the owner and the mode of that path/,
    );
});

it(
  "errors on the command line speak of flags and verbs, and say what to type next",
  { timeout: 240_000 },
  async () => {
    const cwd = join(makeFolder({ "work/a.js": "export const a = 1;\nexport const b = 2;\n" }), "work");
    const bad: string[] = [];
    for (const line of MISTAKES) {
      const { status: code, stdout: out, stderr: err } = await pith(line.split(" "), cwd);
      const [message = "", step = ""] = err.trim().split("\n").slice(-2);
      const foreign = `${out}\n${err}`.match(/[A-Za-z_]+/g)?.filter((word) => SCHEMA_NAMES.has(word)) ?? [];
      if (FOREIGN_WORDS.test(err)) foreign.push(FOREIGN_WORDS.exec(err)?.[0] ?? "");
      if (code === 0 || !message.startsWith("pith: ") || step.trim() === "" || foreign.length > 0)
        bad.push(`pith ${line}: exit ${code}, MCP names: ${foreign.join(" ")}\n${out}${err}`);
    }
    expect(bad.join("\n")).toBe("");
  },
);

describe("a mistake", () => {
  it("is named in the words that were typed", async () => {
    const cwd = makeFolder({ "src/a.js": "1\n" });
    const said = async (...argv: string[]): Promise<string> => (await pith(argv, cwd)).stderr;
    expect(await said("read", "src/my notes.js")).toMatch(/^pith: src\/my notes\.js does not exist\n/);
    expect(await said("read", "src/a.js:0")).toMatch(/^pith: there is no line 0: lines count from 1\n/);
    expect(await said("read", "")).toBe("pith: read: name a file\n      pith read FILE\n");
    expect(await said("read", "src/a.js#nope")).toMatch(/\n {6}List its symbols: pith outline src\/a\.js\n$/);
    expect(await said("outline", "src/b.js")).toMatch(/\n {6}Did you mean src\/a\.js\?\n$/);
    expect(await said("outline", "src/unlike.js")).toMatch(/\n {6}Check the spelling of the path\.\n$/);
    expect(await said("grep", "add(")).toContain("or use -F for plain text.");
    expect(await said("runs", "3")).toMatch(/^pith: runs: takes options only, not "3"\n/);
    expect(await said("search", "--limit")).toMatch(/^pith: search: --limit needs a value\n {6}--limit N: /);
  });
});

describe("a run with long plain output", () => {
  it("names the command that prints the output", async () => {
    const { stdout } = await pith(["exec", "--", "seq", "5000"], makeFolder());
    expect(stdout).toMatch(/^ok exit 0 5000 lines run (\w+)\nits output: pith logs \1\n$/);
  });
});

describe("a list of settings", () => {
  it("is not moved to the right by a long value", async () => {
    const { stdout } = await pith(["config", "runs"], makeFolder());
    expect(stdout).toMatch(/^ {2}runs\.keep = \d+ {1,44}Completed runs/m);
    expect(stdout).toMatch(/^ {2}runs\.isolation_caches = \[.*\]\n {30,}What runs/m);
  });
});

describe("help", () => {
  it("groups every command by what people want", async () => {
    const { stdout: out } = await pith(["help"], makeFolder());
    const titles = Object.values(GROUP_TITLES);
    expect(out.split("\n").filter((line) => titles.includes(line))).toEqual(titles);
    for (const [name, { summary }] of Object.entries(COMMANDS))
      expect(out).toMatch(new RegExp(`^  ${name} +${summary.slice(0, 10)}`, "m"));
  });

  it("is the same for pith help VERB and pith VERB --help", async () => {
    const cwd = makeFolder();
    for (const verb of Object.keys(COMMANDS)) {
      const { status: code, stdout: out } = await pith([verb, "--help"], cwd);
      expect([code, out]).toEqual([0, (await pith(["help", verb], cwd)).stdout]);
      expect(out).toContain(`Usage: pith ${verb}`);
      expect(out).toContain("Examples:");
    }
  });
});
