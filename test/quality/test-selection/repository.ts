import { spawnSync } from "node:child_process";
import { readTestText, type TestText } from "../../../src/index/tests/test-text.ts";

/** A unit of the main line of a repository: a commit, or a merged branch as one change. */
export interface Unit {
  readonly commit: string;
  readonly subject: string;
  readonly files: readonly string[];
}

const MAX_BUFFER = 2 ** 31 - 1;
const MAX_CACHED_TEXTS = 30_000;

/** Reads the history and the files of a bare repository. */
export class Repository {
  readonly folder: string;
  readonly #texts = new Map<string, TestText>();
  readonly #words = new Map<string, string>();

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

  diff(commit: string, paths: readonly string[]): string {
    const flags = "diff --unified=0 --no-renames --no-color --no-ext-diff --no-textconv".split(" ");
    return this.git([...flags, "--binary", `${commit}^1`, commit, "--", ...paths]).toString("utf8");
  }

  /** Reads the texts of test files, each blob once. */
  texts(blobs: readonly string[]): (blob: string) => TestText | undefined {
    if (this.#texts.size > MAX_CACHED_TEXTS) this.#texts.clear();
    const wanted = [...new Set(blobs)].filter((blob) => !this.#texts.has(blob));
    if (wanted.length > 0) {
      const output = this.git(["cat-file", "--batch"], `${wanted.join("\n")}\n`);
      let at = 0;
      while (at < output.length) {
        const end = output.indexOf(10, at);
        const [blob = "", , size = "0"] = output.toString("utf8", at, end).split(" ");
        const length = Number(size);
        this.#texts.set(blob, this.#interned(output.toString("utf8", end + 1, end + 1 + length)));
        at = end + 1 + length + 1;
      }
    }
    return (blob) => this.#texts.get(blob);
  }

  /** Keeps one copy of each word, because thousands of texts share them. */
  #interned(text: string): TestText {
    const words = new Set<string>();
    const read = readTestText(text, {
      has: (word) => Boolean(words.add(this.#intern(word))),
    } as ReadonlySet<string>);
    return { has: (word) => words.has(word), imports: read.imports, length: read.length };
  }

  #intern(word: string): string {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    // A word that is part of a longer text keeps the whole text in memory; a copy does not.
    const copy = Buffer.from(word).toString();
    this.#words.set(copy, copy);
    return copy;
  }
}
