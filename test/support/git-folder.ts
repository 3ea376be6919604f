import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A temporary folder with helpers to write files and run git in it. */
export interface GitFolder {
  readonly root: string;
  write(path: string, text: string | Uint8Array): void;
  remove(path: string): void;
  git(...args: string[]): string;
  dispose(): void;
}

export function temporaryFolder(files: Readonly<Record<string, string>> = {}): GitFolder {
  return folderAt(realpathSync(mkdtempSync(join(tmpdir(), "pith-test-"))), files);
}

/** Creates a repository with one commit of the given files. */
export function temporaryRepository(
  files: Readonly<Record<string, string>> = {},
  init: readonly string[] = [],
): GitFolder {
  const folder = temporaryFolder(files);
  folder.git("init", "-q", "-b", "main", ...init);
  folder.git("add", "-A");
  folder.git("commit", "-q", "--allow-empty", "-m", "first");
  return folder;
}

export function folderAt(root: string, files: Readonly<Record<string, string>> = {}): GitFolder {
  const folder: GitFolder = {
    root,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
    git: (...args) =>
      execFileSync(
        "git",
        ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "protocol.file.allow=always", ...args],
        {
          cwd: root,
          encoding: "utf8",
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
        },
      ),
    dispose: () => rmSync(root, { recursive: true, force: true }),
  };
  for (const [path, text] of Object.entries(files)) folder.write(path, text);
  return folder;
}
