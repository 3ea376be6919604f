import { spawnSync } from "node:child_process";

/** A unit of the main line of a repository: a commit, or a merged branch as one change. */
export interface Unit {
  readonly commit: string;
  readonly subject: string;
  readonly files: readonly string[];
}

const MAX_BUFFER = 2 ** 31 - 1;

/** Reads the history and the files of a bare repository. */
export class Repository {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  git(args: readonly string[], input?: string): Buffer {
    const result = spawnSync("git", ["-C", this.folder, "-c", "core.quotePath=false", ...args], {
      maxBuffer: MAX_BUFFER,
      ...(input !== undefined && { input }),
    });
    if (result.status !== 0)
      throw new Error(`git ${args.join(" ")}: ${result.stderr.toString("utf8").slice(0, 300)}`);
    return result.stdout;
  }

  has(commit: string): boolean {
    const result = spawnSync("git", ["-C", this.folder, "cat-file", "-e", `${commit}^{commit}`]);
    return result.status === 0;
  }

  /** The units of the main line up to a commit, the newest first. */
  units(commit: string): Unit[] {
    const flags = "log --first-parent -m --no-renames --name-only --format=%x01%H%n%s".split(" ");
    return this.git([...flags, commit])
      .toString("utf8")
      .split("\u0001")
      .slice(1)
      .map((entry) => {
        const [commit = "", subject = "", ...files] = entry.split("\n");
        return { commit, subject, files: files.filter(Boolean) };
      });
  }

  /** The files of a commit with their blobs. */
  tree(commit: string): Map<string, string> {
    const files = new Map<string, string>();
    for (const entry of this.git(["ls-tree", "-r", "-z", commit]).toString("utf8").split("\0")) {
      const [head = "", path] = entry.split("\t");
      const [, type, blob = ""] = head.split(" ");
      if (type === "blob" && path !== undefined) files.set(path, blob);
    }
    return files;
  }

  /** The text of a file at a commit; empty if the commit does not have it. */
  text(commit: string, path: string): string {
    const result = spawnSync("git", ["-C", this.folder, "show", `${commit}:${path}`], {
      maxBuffer: MAX_BUFFER,
    });
    return result.status === 0 ? result.stdout.toString("utf8") : "";
  }

  diff(commit: string, paths: readonly string[]): string {
    const flags = "diff --unified=0 --no-renames --no-color --no-ext-diff --no-textconv".split(" ");
    return this.git([...flags, "--binary", `${commit}^1`, commit, "--", ...paths]).toString("utf8");
  }

  /** What some commits changed in some files. */
  patches(commits: readonly string[], paths: readonly string[]): string {
    if (commits.length === 0) return "";
    const flags = "diff-tree --stdin -m --first-parent -r -p --unified=0 --no-renames".split(" ");
    return this.git([...flags, "--", ...paths], `${commits.join("\n")}\n`).toString("utf8");
  }

  /** Calls `read` with the text of each blob. */
  texts(blobs: readonly string[], read: (blob: string, text: string) => void): void {
    const output = this.git(["cat-file", "--batch"], `${[...new Set(blobs)].join("\n")}\n`);
    let at = 0;
    while (at < output.length) {
      const end = output.indexOf(10, at);
      const [blob = "", , size = "0"] = output.toString("utf8", at, end).split(" ");
      const length = Number(size);
      read(blob, output.toString("utf8", end + 1, end + 1 + length));
      at = end + 1 + length + 1;
    }
  }
}
