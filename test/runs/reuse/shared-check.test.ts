import { copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, it } from "vitest";
import { sharedCheck } from "../../../src/runs/reuse/shared-check.ts";
import { makeFolder } from "../../support/folder.ts";
import { kept } from "../../support/kept-folder.ts";
import { temporaryRepository } from "../../support/git-folder.ts";

/** A checkout as on one machine, with a checker that is one program file on the PATH. */
function machine(files: Record<string, string> = {}) {
  const { root } = kept(temporaryRepository({ "a.py": "x\n", ...files }));
  const programs = makeFolder();
  copyFileSync("/bin/true", join(programs, "ruff"));
  const HOME = makeFolder();
  const env = { HOME, PATH: [programs, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter) };
  const key = async (extra: Record<string, string> = {}, facts: string[] = ["tree"]) =>
    (
      await sharedCheck(
        {
          command: "ruff check .",
          top: root,
          cwd: root,
          env: { ...env, ...extra },
          // The folders of the test's two machines differ, which those of real workers need not.
          ownVariables: ["PATH", "HOME"],
          files: ["a.py", ...Object.keys(files)],
          facts,
        },
        new AbortController().signal,
      )
    )?.key;
  return { root, programs, HOME, key };
}

it("is the same check on two machines, until anything that decides its answer differs", async () => {
  const [one, other] = [machine(), machine()];
  const key = await one.key();
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await other.key()).toBe(key);
  expect(await other.key({ HOSTNAME: "other", SSH_TTY: "/dev/pts/1" })).toBe(key);
  expect(await other.key({ LANG: "de_DE.UTF-8" })).not.toBe(key);
  expect(await other.key({}, ["another tree"])).not.toBe(key);
  expect(await other.key({ PYTHONPATH: "/opt/lib" })).toBeUndefined();
  writeFileSync(join(other.HOME, ".editorconfig"), "root = true\n");
  expect(await other.key()).not.toBe(key);
  // Another version of the checker.
  const newer = machine();
  copyFileSync("/bin/false", join(newer.programs, "ruff"));
  expect(await newer.key()).not.toBe(key);
});

it("is no shared check if its program or its files lead to what is not known elsewhere", async () => {
  const script = machine();
  writeFileSync(join(script.programs, "ruff"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  expect(await script.key()).toBeUndefined();
  expect(await machine({ "ruff.toml": 'extend = "../../shared.toml"\n' }).key()).toBeUndefined();
  const outside = makeFolder();
  writeFileSync(join(outside, "ruff.toml"), "");
  const named = machine({ "ruff.toml": `extend = "${join(outside, "ruff.toml")}"\n` });
  expect(await named.key()).toBeUndefined();
  const linked = machine({ "b.txt": "" });
  mkdirSync(join(linked.root, "links"));
  symlinkSync(outside, join(linked.root, "links/out"));
  const seen = await sharedCheck(
    {
      command: "ruff check .",
      top: linked.root,
      cwd: linked.root,
      env: { PATH: linked.programs },
      ownVariables: [],
      files: ["links/out"],
      facts: [],
    },
    new AbortController().signal,
  );
  expect(seen).toBeUndefined();
});
