import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONFIG_KEYS, environmentName } from "../../src/config/keys.ts";
import { commandEnvironment, CREDENTIALS } from "../../src/runs/plan/environment.ts";
import { call, serverEnvironment, WITH_INDEX_TOOLS } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const SECRET = "hunter2-4f1c9d-hunter2";

it("passes none of Pith's own credentials to the commands it runs", async () => {
  const work = makeFolder();
  const client = await connect(work, { env: { PITH_SERVER_HTTP_TOKEN: SECRET, OTHER: "passes" } });
  const said = await call(client, "bash", { command: "env | base64 -w0 | base64 -d; echo $OTHER" });
  expect(said).toContain("passes");
  expect(said).not.toContain("PITH_SERVER_HTTP_TOKEN");
});

it("knows every secret setting by all of Pith's names", () => {
  const names = Object.entries(CONFIG_KEYS).flatMap(([section, keys]) =>
    Object.entries(keys as Record<string, { secret?: boolean; env?: string }>)
      .filter(([, key]) => key.secret === true)
      .flatMap(([name, key]) => [
        environmentName(section, name),
        ...(key.env === undefined ? [] : [key.env]),
      ]),
  );
  // Those of AWS are the user's own, and commands that talk to AWS need them.
  const own = names.filter((name) => !name.startsWith("AWS_"));
  expect([...CREDENTIALS].sort()).toEqual([...new Set(own)].sort());
});

it("passes a credential on only if a rule names it", () => {
  const plan = { base: { PITH_STORE: SECRET }, cwd: "/", root: "/" };
  expect(commandEnvironment({ ...plan, pass: ["*"] })).not.toHaveProperty("PITH_STORE");
  expect(commandEnvironment({ ...plan, pass: ["PITH_*"] })).not.toHaveProperty("PITH_STORE");
  expect(commandEnvironment({ ...plan, pass: ["PITH_STORE"] })).toHaveProperty("PITH_STORE", SECRET);
});

it("masks secrets in replies, in stored logs and in the command that is shown", async () => {
  const token = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");
  const work = makeFolder({
    ".env": `API_TOKEN=${token}\n`,
    "a.py": `KEY = "${token}"\ndef answer():\n    pass\n`,
  });
  const dataFolder = makeFolder();
  const client = await connect(work, { dataFolder });
  const replies = await Promise.all([
    call(client, "read", { file_path: ".env" }),
    call(client, "read", { file_path: "a.py", response_format: "json" }),
    call(client, "grep", { pattern: "ghp_", response_format: "markdown" }),
    call(client, "search_code", { query: "answer", detail_level: "detailed" }),
    call(client, "bash", { command: `echo ${token}; echo ${token} >&2; exit 3` }),
    call(client, "build", { action: "exec", tool: `echo ${token}` }),
    call(client, "read", { file_path: `nothing-${token}` }),
  ]);
  await client.close();
  for (const reply of replies) expect(reply).not.toContain(token);
  const holding = filesHolding(join(dataFolder, "data"), token);
  expect(holding.filter((path) => !path.includes("index.db"))).toEqual([]);
});

it("never shows the password of the team store, not even if the store cannot be reached", async () => {
  const env = { PITH_STORE: `postgres://user:${SECRET}@127.0.0.1:1/team?application_name=${SECRET}` };
  const work = makeFolder({ "a.py": "def answer():\n    return 1\n" });
  const dataFolder = makeFolder();
  for (const args of [["doctor"], ["config"], ["config", "--json"], ["symbol", "answer"], ["runs"]]) {
    const { stdout, stderr } = await pithInside(args, work, serverEnvironment({ env, dataFolder }));
    expect(`${stdout}${stderr}`.length, args.join(" ")).toBeGreaterThan(0);
    expect(`${stdout}${stderr}`, args.join(" ")).not.toContain(SECRET);
  }
  const client = await connect(work, { env, dataFolder, args: WITH_INDEX_TOOLS });
  for (const [tool, args] of [
    ["health_check", {}],
    ["bash", { command: "env" }],
    ["run_command", { command: "env" }],
    ["worker_status", {}],
    ["index_status", {}],
  ] as const)
    expect(await call(client, tool, args), tool).not.toContain(SECRET);
  await client.close();
  expect(filesHolding(join(dataFolder, "data"), SECRET)).toEqual([]);
});

function filesHolding(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && readFileSync(path, "latin1").includes(text));
}
