import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isHarmful } from "../../../src/workspace/files/rule-files.ts";
import { makeFolder } from "../../support/folder.ts";

it.skipIf(process.platform !== "linux")(
  "knows the files of the kernel, which look empty and may never end",
  () => {
    const root = makeFolder({ empty: "" });
    symlinkSync("/proc/kmsg", join(root, ".ignore"));
    symlinkSync("empty", join(root, ".rgignore"));
    expect([".ignore", ".rgignore", "empty", "none"].filter((name) => isHarmful(join(root, name)))).toEqual([
      ".ignore",
    ]);
  },
);
