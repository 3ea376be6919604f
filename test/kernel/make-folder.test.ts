import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePrivateFolder } from "../../src/kernel/make-folder.ts";
import { makeFolder } from "../support/folder.ts";

it("creates a folder and its parents for the owner only, also if they exist", async () => {
  const path = join(makeFolder(), "a/b/c");
  await Promise.all([makePrivateFolder(path), makePrivateFolder(path)]);
  await makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("reports a file that is in the way", async () => {
  const root = makeFolder({ file: "" });
  await expect(makePrivateFolder(join(root, "file/inner"))).rejects.toThrow(/ENOTDIR|EEXIST/);
});

it.runIf(process.platform === "linux")("fails on a file system that does not support folders", async () => {
  await expect(makePrivateFolder("/proc/no-such-place/inner")).rejects.toThrow(/ENOENT/);
});
