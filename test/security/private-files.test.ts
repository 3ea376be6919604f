import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { call, WITH_INDEX_TOOLS } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

it("stores every file with access for its owner only, whatever the umask is", async () => {
  const work = makeFolder({
    "a.py": "def answer():\n    return 1\n",
    "package.json": '{"scripts":{"test":"echo x"}}',
  });
  const dataFolder = makeFolder();
  const before = process.umask(0);
  try {
    const client = await connect(work, { dataFolder, args: WITH_INDEX_TOOLS });
    await call(client, "search_code", { query: "answer" });
    await call(client, "bash", { command: "echo x; echo y >&2" });
    await call(client, "build", { action: "exec", tool: "npm.test" });
    await call(client, "index_repository", { force_reindex: true });
    await client.close();
  } finally {
    process.umask(before);
  }
  const data = join(dataFolder, "data");
  const stored = ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })].map((name) =>
    join(data, name),
  );
  expect(stored.length).toBeGreaterThan(5);
  const open = stored.filter((path) => (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077);
  expect(open).toEqual([]);
});

it("writes nothing into the workspace", async () => {
  const work = makeFolder({ "a.py": "def answer():\n    return 1\n" });
  const client = await connect(work);
  await call(client, "search_code", { query: "answer" });
  await call(client, "bash", { command: "true" });
  await call(client, "build", { action: "list" });
  expect(readdirSync(work)).toEqual(["a.py"]);
});
