import {
  chmod,
  lstat,
  mkdtemp,
  mkdir,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { applyChange, diskView } from "../../../src/cli/init/apply.ts";
import { cursor } from "../../../src/cli/init/clients/cursor.ts";
import type { Change } from "../../../src/cli/init/plan.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pith-apply-")));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const change = (file: string, before: string | undefined, after: string | undefined): Change => ({
  client: cursor,
  file: join(root, file),
  before,
  after,
  state: "updated",
});

it("creates folders, and removes them when they are empty again", async () => {
  await applyChange(change(".cursor/mcp.json", undefined, "{}\n"), [root]);
  expect(await readFile(join(root, ".cursor/mcp.json"), "utf8")).toBe("{}\n");
  await applyChange(change(".cursor/mcp.json", "{}\n", undefined), [root]);
  expect(await readdir(root)).toEqual([]);
  await applyChange(change("top.json", undefined, "{}"), [root]);
  await applyChange(change("top.json", "{}", undefined), [root]);
  expect(await readdir(root)).toEqual([]);
});

it.skipIf(process.platform === "win32")("keeps the mode and writes through a link", async () => {
  await mkdir(join(root, "dotfiles"));
  await writeFile(join(root, "dotfiles/real.json"), "old");
  await chmod(join(root, "dotfiles/real.json"), 0o640);
  await symlink("dotfiles/real.json", join(root, "link.json"));
  await applyChange(change("link.json", "old", "new"), [root]);
  expect((await lstat(join(root, "link.json"))).isSymbolicLink()).toBe(true);
  expect(await readFile(join(root, "dotfiles/real.json"), "utf8")).toBe("new");
  expect((await stat(join(root, "dotfiles/real.json"))).mode & 0o777).toBe(0o640);
  expect(await readdir(join(root, "dotfiles"))).toEqual(["real.json"]);
});

it("refuses a file that has changed since the plan was made", async () => {
  await writeFile(join(root, "a.json"), "theirs");
  await expect(applyChange(change("a.json", "ours", "new"), [root])).rejects.toThrow(
    "changed in the meantime",
  );
  await expect(applyChange(change("a.json", undefined, "new"), [root])).rejects.toThrow(
    "changed in the meantime",
  );
  expect(await readFile(join(root, "a.json"), "utf8")).toBe("theirs");
});

it("refuses to read a file that is not UTF-8", async () => {
  await writeFile(join(root, "a.json"), Buffer.from([0x7b, 0xff, 0x7d]));
  expect(() => diskView.read(join(root, "a.json"))).toThrow("is not UTF-8 text");
});
