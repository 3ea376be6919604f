import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PithError } from "../../src/kernel/errors.ts";
import { createJail } from "../../src/workspace/jail.ts";

let top: string;
let root: string;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "pith-jail-")));
  root = join(top, "work");
  await mkdir(join(root, "src"), { recursive: true });
  await mkdir(join(top, "workshop"));
  await mkdir(join(top, "other"));
  await writeFile(join(root, "src", "a.ts"), "a\n");
  await writeFile(join(root, "..dots"), "a\n");
  await writeFile(join(top, "secret.txt"), "s\n");
  await writeFile(join(top, "other", "o.txt"), "o\n");
  await symlink(join(top, "secret.txt"), join(root, "leak"));
  await symlink(top, join(root, "up"));
  await symlink("src/a.ts", join(root, "alias"));
  await symlink(join(top, "not-yet"), join(root, "dangling-out"));
  await symlink("src/later.ts", join(root, "dangling-in"));
  await symlink("ring-b", join(root, "ring-a"));
  await symlink("ring-a", join(root, "ring-b"));
  await symlink(root, join(top, "door"));
});

afterAll(() => rm(top, { recursive: true, force: true }));

const resolvePath = (path: string) => createJail([root]).resolve(path, root);

async function codeOf(path: string): Promise<string> {
  try {
    await resolvePath(path);
  } catch (error) {
    if (error instanceof PithError) return error.code;
    throw error;
  }
  return "allowed";
}

describe("paths inside the workspace", () => {
  it.each([
    ["src/a.ts", "src/a.ts"],
    ["./src/../src//a.ts", "src/a.ts"],
    [".", "."],
    ["..dots", "..dots"],
    ["alias", "src/a.ts"],
    ["up/work/src/a.ts", "src/a.ts"],
  ])("%s resolves to %s", async (path, shown) => {
    expect(await resolvePath(path)).toEqual({ absolute: join(root, shown), shown, base: root, exists: true });
  });

  it("accepts an absolute path, also through a link to the root", async () => {
    const absolute = join(root, "src", "a.ts");
    expect(await resolvePath(absolute)).toEqual({ absolute, shown: "src/a.ts", base: root, exists: true });
    expect((await resolvePath(join(top, "door", "src", "a.ts"))).absolute).toBe(absolute);
  });

  it("reports that a file does not exist yet, below a missing folder and behind a link", async () => {
    expect(await resolvePath("new/deep/x.ts")).toEqual({
      absolute: join(root, "new/deep/x.ts"),
      shown: "new/deep/x.ts",
      base: root,
      exists: false,
    });
    expect((await resolvePath("dangling-in")).absolute).toBe(join(root, "src/later.ts"));
    expect((await resolvePath("src/a.ts/child")).exists).toBe(false);
  });

  it("supports a root that is a link, and a second root by absolute paths", async () => {
    const jail = createJail([join(top, "door"), join(top, "other")]);
    expect((await jail.resolve("src/a.ts", join(top, "door"))).shown).toBe("src/a.ts");
    const other = join(top, "other", "o.txt");
    expect(await jail.resolve(other, join(top, "door"))).toEqual({
      absolute: other,
      shown: other,
      base: root,
      exists: true,
    });
  });
});

describe("paths outside the workspace", () => {
  it.each([
    "..",
    "../secret.txt",
    "src/../../secret.txt",
    "/etc/passwd",
    "/",
    "leak",
    "up/secret.txt",
    "up",
    "dangling-out",
    "dangling-out/child",
    "../workshop",
    "../work2/new.txt",
    "/no/such/place",
  ])("refuses %s", async (path) => {
    expect(await codeOf(path)).toBe("workspace_not_allowed");
  });

  it("refuses the root in another case unless the file system treats it as the same folder", async () => {
    const shouted = join(top, "WORK", "src", "a.ts");
    const same = await realpath(shouted).then(
      (real) => real === join(root, "src", "a.ts"),
      () => false,
    );
    expect(await codeOf(shouted)).toBe(same ? "allowed" : "workspace_not_allowed");
  });
});

describe("impossible paths", () => {
  it.each([
    ["an empty one", "", "invalid_input"],
    ["a NUL", "src/a.ts\0.png", "invalid_input"],
    ["a long name", "a".repeat(5_000), "invalid_input"],
    ["a huge path", "a/".repeat(20_000), "invalid_input"],
    ["a ring of links", "ring-a", "file_not_found"],
  ])("refuses %s", async (_, path, code) => {
    expect(await codeOf(path)).toBe(code);
  });

  it("does not repeat a huge path in the error", async () => {
    const error = await resolvePath("a".repeat(30_000)).catch((thrown: unknown) => thrown);
    expect(String(error).length).toBeLessThan(400);
  });
});
