import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import { isOpenedWithin } from "../../src/kernel/files/opened-path.ts";
import { readSmallFile } from "../../src/kernel/files/small-file.ts";
import type { GrepOutput } from "../../src/model/grep-result.ts";
import { readContent } from "../../src/workspace/files/file-signature.ts";
import { readLines } from "../../src/workspace/files/read.ts";
import { grep } from "../../src/workspace/grep/grep.ts";
import { createJail } from "../../src/workspace/jail.ts";
import { readRegular } from "../../src/workspace/snapshot/read-content.ts";
import { makeFolder } from "../support/folder.ts";

/** A workspace with a folder `sub`, and a folder outside that has a file of the same name. */
function makePlaces(): { root: string; outside: string } {
  const outside = makeFolder({ "a.txt": "needle from outside\n" });
  return { root: makeFolder({ "sub/a.txt": "needle inside\n", "b.txt": "needle inside too\n" }), outside };
}

/** Replaces the folder by a link that leads out of the workspace. */
function swap({ root, outside }: { root: string; outside: string }): void {
  renameSync(join(root, "sub"), join(root, "kept"));
  symlinkSync(outside, join(root, "sub"));
}

function swapBack({ root }: { root: string }): void {
  rmSync(join(root, "sub"));
  renameSync(join(root, "kept"), join(root, "sub"));
}

describe("a folder that becomes a link after its path was checked", () => {
  it("is recognised by the open file, even if the link is gone again", () => {
    const places = makePlaces();
    const path = join(places.root, "sub/a.txt");
    swap(places);
    const file = openSync(path, "r");
    swapBack(places);
    expect(isOpenedWithin(file, path, places.root)).toBe(false);
    closeSync(file);
    const inside = openSync(path, "r");
    expect(isOpenedWithin(inside, path, places.root)).toBe(true);
    closeSync(inside);
  });

  it("is not read by the index, snapshots, read or for its meaning", async () => {
    const places = makePlaces();
    const { root } = places;
    const path = join(root, "sub/a.txt");
    const target = await createJail([root]).resolve("sub/a.txt", root);
    expect(readContent(root, "sub/a.txt", 1_000)).toHaveProperty("bytes");
    swap(places);
    expect(readContent(root, "sub/a.txt", 1_000)).toBeUndefined();
    expect(readRegular(path, root)).toBeUndefined();
    expect(readSmallFile(path, { within: root })).toEqual({ refused: "outside" });
    await expect(readLines(target)).rejects.toMatchObject({ code: "workspace_not_allowed" });
  });
});

describe.skipIf(process.platform !== "linux")("grep", () => {
  /** A program that replaces the folder while the real ripgrep runs, and puts it back before it ends. */
  function racingRipgrep({ root, outside }: { root: string; outside: string }): string {
    const program = join(makeFolder(), "rg");
    writeFileSync(
      program,
      `#!/bin/sh
mv '${root}/sub' '${root}/kept' && ln -s '${outside}' '${root}/sub'
'${rgPath}' --follow "$@"
code=$?
rm '${root}/sub' && mv '${root}/kept' '${root}/sub'
exit $code
`,
    );
    chmodSync(program, 0o700);
    return program;
  }

  it.each(["lines", "files", "count"] as const)(
    "leaves out %s that came from outside",
    async (output: GrepOutput) => {
      const places = makePlaces();
      const target = await createJail([places.root]).resolve(".", places.root);
      // A folder outside of every change is trusted, as most are.
      mkdirSync(join(places.root, "deep"));
      const found = await grep(
        target,
        { patterns: ["needle"], output },
        { programs: [racingRipgrep(places)] },
      );
      expect(JSON.stringify(found)).not.toContain("outside");
      const paths = found.files.map(({ path }) => path);
      expect(paths).toContain("b.txt");
      expect(paths).not.toContain("sub/a.txt");
      // The other one is the file under the name that its folder had for a while.
      expect(found.skipped.unreadable).toBe(2);
      expect(found.matchedFiles).toBe(found.files.length);
    },
  );

  it("does not start in a folder that became a link", async () => {
    const places = makePlaces();
    const target = await createJail([places.root]).resolve(".", places.root);
    renameSync(places.root, `${places.root}-kept`);
    symlinkSync(places.outside, places.root);
    try {
      await expect(grep({ ...target, exists: true }, { patterns: ["needle"] })).rejects.toThrow();
    } finally {
      rmSync(places.root);
      renameSync(`${places.root}-kept`, places.root);
    }
  });
});
