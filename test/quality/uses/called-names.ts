import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { groupBy } from "../../../src/kernel/group-by.ts";
import { sample } from "./truth.ts";

/** A function with a name that nothing else in the repository has, and the places that call it. */
export interface CalledName {
  readonly name: string;
  /** `path:line` of each call. */
  readonly calls: readonly string[];
}

interface Tag {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly kind: string;
}

const FUNCTIONS: ReadonlySet<string> = new Set(["function", "method", "func", "member", "singletonMethod"]);
const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  python: /\.py$/u,
  javascript: /\.[cm]?js$/u,
  typescript: /\.tsx?$/u,
  go: /\.go$/u,
  rust: /\.rs$/u,
  java: /\.java$/u,
  c: /\.[ch]$/u,
  cpp: /\.(?:h|cc|cpp)$/u,
  csharp: /\.cs$/u,
  ruby: /\.rb$/u,
  php: /\.php$/u,
};
const MIN_LENGTH = 7;
const MAX_CALLS = 25;

/**
 * Chooses functions whose name ctags lists only once among all definitions, variables and parameters, so that every call
 * of the name in the code, outside of comments and strings, is a call of this function.
 */
export function calledNames(root: string, language: string, count: number): CalledName[] {
  const isSource = EXTENSIONS[language] ?? /$^/u;
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter(
      (path) => isSource.test(path) && !/(?:^|\/)(?:vendor|third_party|dist|node_modules)\//u.test(path),
    );
  const lines = new Map(
    files.map((path) => [path, codeLines(readFileSync(join(root, path), "utf8"), language)]),
  );
  const unique = [...groupBy(tagsOf(root, files), ({ name }) => name).values()].flatMap((tags) => {
    const [tag] = tags;
    const isNamed = tag !== undefined && tag.name.length >= MIN_LENGTH && FUNCTIONS.has(tag.kind);
    return isNamed && tags.length === 1 ? [tag] : [];
  });
  const called: CalledName[] = [];
  for (const tag of sample(unique, unique.length, ({ name }) => name)) {
    const calls = callsOf(tag, lines, language);
    if (calls.length > 0 && calls.length <= MAX_CALLS) called.push({ name: tag.name, calls });
    if (called.length === count) break;
  }
  return called;
}

function tagsOf(root: string, files: readonly string[]): Tag[] {
  const flags = [
    "--output-format=json",
    "--fields=+nK",
    "--kinds-all=*",
    "--extras=-F",
    "-f",
    "-",
    "-L",
    "-",
  ];
  const output = execFileSync("ctags", flags, {
    cwd: root,
    input: files.join("\n"),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["pipe", "pipe", "ignore"],
  });
  return output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Tag);
}

/** Finds the lines with a call of a name. In Ruby a call needs no parentheses. */
function callsOf(tag: Tag, lines: ReadonlyMap<string, readonly string[]>, language: string): string[] {
  const name = tag.name.replaceAll(/[$?!]/gu, "\\$&");
  const call =
    language === "ruby"
      ? new RegExp(`(?<![\\w:@$"'])${name}(?![\\w?!:=])(?!\\s*=[^=])`, "u")
      : new RegExp(`(?<![\\w$])${name}\\s*(?:::)?(?:<[^<>()]*>)?\\(`, "u");
  const declared = new RegExp(`\\bfriend\\b|\\b(?:def|function|func|fn|sub)\\s+(?:self\\.)?${name}\\b`, "u");
  const prototype = new RegExp(
    `^\\s*(?!return\\b|else\\b)(?:[\\w:]+[\\s*&]+)+${name}\\s*\\([^;{}]*\\)\\s*;?\\s*$`,
    "u",
  );
  const isPrototype = (line: string): boolean => language === "c" && prototype.test(line);
  const found: string[] = [];
  for (const [path, own] of lines)
    for (const [at, line] of own.entries())
      if (
        call.test(line) &&
        !declared.test(line) &&
        !isPrototype(line) &&
        !(path === tag.path && at + 1 === tag.line)
      )
        found.push(`${path}:${at + 1}`);
  return found;
}

const HASH_COMMENTS = /"""[^]*?"""|'''[^]*?'''|#[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gu;
const SLASH_COMMENTS = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gu;
const RUST = /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\.|[^"\\])*"/gu;

/** Returns the lines of a text without comments and strings. */
function codeLines(text: string, language: string): string[] {
  const isHash = language === "python" || language === "ruby";
  const pattern = isHash ? HASH_COMMENTS : language === "rust" ? RUST : SLASH_COMMENTS;
  return text.replace(pattern, (found) => found.replaceAll(/[^\n]/gu, " ")).split("\n");
}
