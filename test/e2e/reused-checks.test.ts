import { expect, it } from "vitest";
import { checkVariables, makeCheckedRepository } from "../support/checked-repository.ts";
import { call, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { kept } from "../support/kept-folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const NOTE = /^same tree as run (r\d+) \d+ s ago: its answer; force=true runs again\n/;

it("answers a check from the last run over MCP and on the command line, until something changes", async () => {
  const repository = kept(makeCheckedRepository());
  repository.write("src/b.ts", 'export const b = "one";\n');
  const dataFolder = makeFolder();
  const { PATH = "" } = checkVariables();
  const env = { PATH };
  const client = await connect(repository.root, { dataFolder, env });
  const build = (args: object): Promise<string> =>
    call(client, "build", { action: "exec", tool: "tsc --noEmit", ...args });

  const first = await build({});
  expect(first).toContain("TS2322");
  const again = await build({});
  const [, id] = NOTE.exec(again) ?? [];
  expect(first).toContain(`run ${id}`);
  expect(again.replace(NOTE, "")).toBe(first);
  expect(JSON.parse(await build({ response_format: "json" }))).toMatchObject({
    reused: { run: id },
    exitCode: 1,
  });
  expect(await build({ force: true })).not.toMatch(NOTE);

  const line = { command: "tsc --noEmit 2>&1 | head -20" };
  expect(await call(client, "bash", line)).not.toMatch(NOTE);
  expect(await call(client, "bash", line)).toMatch(NOTE);
  expect(await call(client, "bash", { ...line, force: true })).not.toMatch(NOTE);
  repository.write("src/b.ts", "export const b = 2;\n");
  const fixed = await call(client, "bash", line);
  expect(fixed).toMatch(/^ok exit 0 1 fixed/);
  await client.close();

  const variables = serverEnvironment({ dataFolder, env });
  const pith = (...args: string[]) => pithInside(["exec", ...args], repository.root, variables);
  expect((await pith("tsc --noEmit")).stdout).toMatch(/^ok exit 0/);
  const shell = await pith("tsc --noEmit");
  expect(shell.stdout).toMatch(/^same tree as run r\d+ \d+ s ago: its answer; --force runs again\nok exit 0/);
  expect(shell.status).toBe(0);
  expect((await pith("--force", "tsc --noEmit")).stdout).toMatch(/^ok exit 0/);
  repository.write("src/b.ts", 'export const b = "one";\n');
  expect((await pith("tsc --noEmit")).status).toBe(1);
});
