import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { copyTree } from "../../../src/pool/environments/copy-tree.ts";
import { makeFolder } from "../../support/folder.ts";

it.skipIf(process.platform === "win32")(
  "copies modes, times, links as written, and read-only folders",
  async () => {
    const folder = makeFolder({ "from/bin/tool": "run\n", "from/locked/data": "kept\n" });
    const [from, to] = [join(folder, "from"), join(folder, "to")];
    chmodSync(join(from, "bin/tool"), 0o755);
    chmodSync(join(from, "locked/data"), 0o444);
    mkdirSync(join(from, "empty"), 0o700);
    const time = new Date("2020-02-02T02:02:02Z");
    utimesSync(join(from, "bin/tool"), time, time);
    symlinkSync("../bin/./tool", join(from, "empty/link"));
    symlinkSync("nowhere", join(from, "dangling"));
    chmodSync(join(from, "locked"), 0o555);
    await copyTree(from, to);
    const modeOf = (path: string): number => lstatSync(join(to, path)).mode & 0o7777;
    expect(["bin/tool", "locked", "locked/data", "empty"].map(modeOf)).toEqual([0o755, 0o555, 0o444, 0o700]);
    expect(readFileSync(join(to, "locked/data"), "utf8")).toBe("kept\n");
    expect(lstatSync(join(to, "bin/tool")).mtime).toEqual(time);
    expect(["empty/link", "dangling"].map((path) => readlinkSync(join(to, path)))).toEqual([
      "../bin/./tool",
      "nowhere",
    ]);
    for (const copy of [from, to]) chmodSync(join(copy, "locked"), 0o755);
  },
);
