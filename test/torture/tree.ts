import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Random } from "./random.ts";

/** A version of a file and the time span in which an answer could have seen it. */
interface Version {
  /** The text, or undefined while the file did not exist. */
  readonly text: string | undefined;
  readonly from: number;
  to: number;
}

/** A changing tree of source files that records which versions could be read at any time. */
export class Tree {
  readonly root: string;
  readonly #random: Random;
  readonly #versions = new Map<string, Version[]>();

  constructor(root: string, random: Random) {
    this.root = root;
    this.#random = random;
  }

  /** The current files with their text. */
  files(): Map<string, string> {
    const now = new Map<string, string>();
    for (const [path, versions] of this.#versions) {
      const text = versions.at(-1)?.text;
      if (text !== undefined) now.set(path, text);
    }
    return now;
  }

  /** Returns every text that the file had in a time span, with undefined for times when it did not exist. */
  textsBetween(path: string, from: number, to: number): (string | undefined)[] {
    const versions = this.#versions.get(path);
    if (versions === undefined) return [undefined];
    const alive = versions
      .filter((version) => version.from <= to && version.to >= from)
      .map(({ text }) => text);
    return (versions[0]?.from ?? 0) > from ? [undefined, ...alive] : alive;
  }

  /** Returns all paths that ever existed. */
  paths(): string[] {
    return [...this.#versions.keys()];
  }

  write(path: string, text: string): void {
    this.#change([path], [text], () => {
      mkdirSync(dirname(join(this.root, path)), { recursive: true });
      writeFileSync(join(this.root, path), text);
    });
  }

  /** Rewrites a file with the same size and timestamps, as some editors and formatters do. */
  overwriteQuietly(path: string, text: string): void {
    this.#change([path], [text], () => {
      const { atime, mtime } = statSync(join(this.root, path));
      writeFileSync(join(this.root, path), text);
      utimesSync(join(this.root, path), atime, mtime);
    });
  }

  setTime(path: string, time: Date): void {
    utimesSync(join(this.root, path), time, time);
  }

  remove(path: string): void {
    this.#change([path], [undefined], () => rmSync(join(this.root, path)));
  }

  rename(from: string, to: string): void {
    const text = this.files().get(from);
    this.#change([from, to], [undefined, text], () => {
      mkdirSync(dirname(join(this.root, to)), { recursive: true });
      renameSync(join(this.root, from), join(this.root, to));
    });
  }

  /** Changes several files at once by a command that leaves them with these texts. */
  bulk(texts: ReadonlyMap<string, string | undefined>, work: () => void): void {
    this.#change([...texts.keys()], [...texts.values()], work);
  }

  git(...args: string[]): void {
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    execFileSync("git", [...identity, ...args], { cwd: this.root, stdio: "ignore" });
  }

  /** Records a change. An answer that overlaps it may contain either version. */
  #change(paths: readonly string[], texts: readonly (string | undefined)[], work: () => void): void {
    const from = performance.now();
    work();
    const to = performance.now();
    for (const [i, path] of paths.entries()) {
      const versions = this.#versions.get(path) ?? [];
      const last = versions.at(-1);
      if (last !== undefined) last.to = to;
      versions.push({ text: texts[i], from, to: Number.POSITIVE_INFINITY });
      this.#versions.set(path, versions);
    }
  }

  /** Generates a file's text with new definitions in an indexed language. */
  randomSource(extension: string): string {
    const { head, define, call } = LANGUAGES[extension] ?? PYTHON;
    const lines = [...head];
    for (let i = this.#random.size(6); i > 0; i--) {
      for (let blank = this.#random.size(5); blank > 1; blank--) lines.push("");
      const name = `fn_${this.#random.word(9)}`;
      lines.push(...define(name, this.#random.word(6)));
      if (call !== undefined && this.#random.chance(0.5)) lines.push(call(name));
    }
    return `${lines.join(this.#random.chance(0.1) ? "\r\n" : "\n")}\n`;
  }

  randomPath(): string {
    const folders = ["", "src/", "src/lib/", "a b/", "ünï/", "x/y/z/"];
    return `${this.#random.pick(folders)}${this.#random.word(5)}.${this.#random.pick(EXTENSIONS)}`;
  }
}

interface SourceLanguage {
  readonly head: readonly string[];
  readonly define: (name: string, word: string) => string[];
  /** A line that calls a function; only for languages whose names are resolved and that allow it at the top. */
  readonly call?: (name: string) => string;
}

const PYTHON: SourceLanguage = {
  head: ["# source"],
  define: (name, word) => [`def ${name}(a):`, `    return "${word}"`],
  call: (name) => `${name}(1)`,
};

const LANGUAGES: Readonly<Record<string, SourceLanguage>> = {
  py: PYTHON,
  ts: {
    head: ["// source"],
    define: (name, word) => [`export function ${name}(a: number) {`, `  return "${word}";`, "}"],
    call: (name) => `${name}(1);`,
  },
  go: {
    head: ["package p"],
    define: (name, word) => [`func ${name}(a int) string {`, `\treturn "${word}"`, "}"],
  },
  rs: { head: [], define: (name, word) => [`pub fn ${name}(a: u8) -> &'static str {`, `    "${word}"`, "}"] },
  rb: { head: ["# source"], define: (name, word) => [`def ${name}(a)`, `  "${word}"`, "end"] },
};

const EXTENSIONS = Object.keys(LANGUAGES);

/** Returns the names that a generated text defines, with their lines. */
export function definitionsIn(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [i, line] of text.split("\n").entries()) {
    const name = /^(?:export function|def|func|pub fn) (fn_[a-z]+)\(/.exec(line)?.[1];
    if (name !== undefined) found.set(name, i + 1);
  }
  return found;
}

/** Returns the lines on which a generated text calls a function that it defines. */
export function callsIn(text: string, name: string): number[] {
  if (!definitionsIn(text).has(name)) return [];
  return text.split("\n").flatMap((line, i) => (line.startsWith(`${name}(1)`) ? [i + 1] : []));
}
