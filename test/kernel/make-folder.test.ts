import { statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makePrivateFolder } from "../../src/kernel/make-folder.ts";
import { makeFolder } from "../support/folder.ts";

it("makes a folder and those above it, for the owner alone, as often as asked", async () => {
  const path = join(makeFolder(), "a/b/c");
  await Promise.all([makePrivateFolder(path), makePrivateFolder(path)]);
  await makePrivateFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("says so where a file is in the way", async () => {
  const root = makeFolder({ file: "" });
  await expect(makePrivateFolder(join(root, "file/inner"))).rejects.toThrow(/ENOTDIR|EEXIST/);
});

it.runIf(process.platform === "linux")("ends on a file system that takes no folders", async () => {
  await expect(makePrivateFolder("/proc/no-such-place/inner")).rejects.toThrow(/ENOENT/);
});
