import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import type { GrepResult } from "../../../src/model/grep-result.ts";
import type { GrepQuery } from "../../../src/workspace/grep/grep-plan.ts";
import { grep } from "../../../src/workspace/grep/grep.ts";
import { createJail } from "../../../src/workspace/jail.ts";

const linux = process.platform === "linux";
let top: string;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "pith-grep-")));
});
afterAll(() => rm(top, { recursive: true, force: true }));

type Query = Partial<GrepQuery> & { path?: string };

/** Creates a folder with the given files and a function that searches it. */
async function workspace(files: Record<string, string | Buffer>, programs?: readonly string[]) {
  const root = await mkdtemp(join(top, "w-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const search = async (pattern: string | readonly string[], { path = ".", ...query }: Query = {}) => {
    const target = await createJail([root]).resolve(path, root);
    const patterns = typeof pattern === "string" ? [pattern] : pattern;
    return grep(target, { patterns, ...query }, programs === undefined ? {} : { programs });
  };
  return { root, search };
}

/** Formats a match as `path:number:text` and context as `path-number-text`. */
function shown(result: GrepResult): string[] {
  return result.files.flatMap(({ path, lines }) =>
    lines.map(({ number, text, isMatch }) =>
      isMatch ? `${path}:${number}:${text}` : `${path}-${number}-${text}`,
    ),
  );
}

async function errorOf(action: Promise<unknown>): Promise<PithError> {
  const error = await action.then(
    () => new Error("did not throw"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof PithError) return error;
  throw error;
}

/** Each test runs with the ripgrep of the package and without any ripgrep. */
const ENGINES: readonly (readonly [string, readonly string[] | undefined])[] = [
  ["ripgrep", undefined],
  ["without ripgrep", []],
];

describe.each(ENGINES)("grep %s", (_, programs) => {
  const open = (files: Record<string, string | Buffer>) => workspace(files, programs);

  it("finds lines, sorted by path", async () => {
    const { search } = await open({
      "b.txt": "x\nfoo 1\n",
      "a/z.txt": "foo 2",
      "a.txt": "foo 3\nbar\nfoo 4\n",
    });
    const result = await search("foo");
    expect(shown(result)).toEqual(["a/z.txt:1:foo 2", "a.txt:1:foo 3", "a.txt:3:foo 4", "b.txt:2:foo 1"]);
    expect(result).toMatchObject({
      shown: 4,
      matchedLines: 4,
      matchedFiles: 3,
      totalsAreExact: true,
      searchedFiles: 3,
    });
  });

  it("lists files and counts", async () => {
    const { search } = await open({ "b.txt": "foo\nfoo foo\n", "a.txt": "foo\n", "c.txt": "bar\n" });
    const files = await search("foo", { output: "files" });
    expect(files.files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
    expect(files).toMatchObject({ shown: 2, matchedFiles: 2, totalsAreExact: true });
    const counts = await search("foo", { output: "count" });
    expect(counts.files.map(({ path, count }) => [path, count])).toEqual([
      ["a.txt", 1],
      ["b.txt", 2],
    ]);
    expect(counts).toMatchObject({ matchedLines: 3, totalsAreExact: true });
    expect(await search("foo", { output: "files", maxMatches: 1 })).toMatchObject({
      shown: 1,
      matchedFiles: 2,
    });
  });

  it("shows overlapping context once", async () => {
    const { search } = await open({ "a.txt": "1\n2 foo\n3\n4 foo\n5\n6\n7\n8 foo\n" });
    expect(shown(await search("foo", { beforeLines: 1, afterLines: 1 }))).toEqual([
      "a.txt-1-1",
      "a.txt:2:2 foo",
      "a.txt-3-3",
      "a.txt:4:4 foo",
      "a.txt-5-5",
      "a.txt-7-7",
      "a.txt:8:8 foo",
    ]);
    expect(shown(await search("foo", { beforeLines: 2, afterLines: 2, maxMatches: 2 })).at(-1)).toBe(
      "a.txt-6-6",
    );
  });

  it("stops at max_matches and reports that there is more", async () => {
    const { search } = await open({ "a.txt": "foo\n".repeat(30), "b.txt": "foo\n".repeat(5) });
    expect(await search("foo", { maxMatches: 32 })).toMatchObject({
      shown: 32,
      matchedLines: 35,
      totalsAreExact: programs === undefined,
    });
    const early = await search("foo", { maxMatches: 3 });
    expect(shown(early)).toEqual(["a.txt:1:foo", "a.txt:2:foo", "a.txt:3:foo"]);
    expect(early).toMatchObject({ shown: 3, totalsAreExact: false });
    expect(early.matchedLines).toBeGreaterThan(3);
  });

  it("reports what was searched when nothing is found", async () => {
    const { search } = await open({ "a.txt": "x", "b/c.txt": "y" });
    for (const output of ["lines", "files", "count"] as const)
      expect(await search("nothing", { output })).toMatchObject({
        files: [],
        shown: 0,
        matchedFiles: 0,
        searchedFiles: 2,
      });
  });

  it("skips ignored files, with and without git", async () => {
    const files = {
      ".gitignore": "dist/\n*.log\n",
      "src/a.ts": "foo",
      "dist/a.js": "foo",
      "src/a.log": "foo",
      ".github/ci.yml": "foo",
      "sub/.gitignore": "local\n",
      "sub/local": "foo",
    };
    const plain = await open(files);
    const repo = await open(files);
    execFileSync("git", ["init", "-q"], { cwd: repo.root });
    await writeFile(join(repo.root, ".git", "note"), "foo");
    for (const { search } of [plain, repo]) {
      expect(shown(await search("foo"))).toEqual([".github/ci.yml:1:foo", "src/a.ts:1:foo"]);
      // A glob narrows the search; it does not include ignored files.
      expect(shown(await search("foo", { globs: ["*.{ts,log}"] }))).toEqual(["src/a.ts:1:foo"]);
      expect(shown(await search("foo", { globs: ["src/*"] }))).toEqual(["src/a.ts:1:foo"]);
      // An ignored file or folder is searched if it is named.
      expect(shown(await search("foo", { path: "dist" }))).toEqual(["dist/a.js:1:foo"]);
      expect(shown(await search("foo", { path: "src/a.log" }))).toEqual(["src/a.log:1:foo"]);
    }
  });

  it("obeys the ignore files of a workspace without git, and none above it", async () => {
    await writeFile(join(top, ".gitignore"), "*\n");
    const { search } = await open({
      ".gitignore": "out.txt\n",
      ".pithignore": "secret.txt\n",
      "sub/a.txt": "foo",
      "sub/out.txt": "foo",
      "sub/secret.txt": "foo",
      "node_modules/x/a.js": "foo",
    });
    expect(shown(await search("foo"))).toEqual(["sub/a.txt:1:foo"]);
    expect(shown(await search("foo", { path: "sub" }))).toEqual(["sub/a.txt:1:foo"]);
    expect(shown(await search("foo", { path: "node_modules" }))).toEqual(["node_modules/x/a.js:1:foo"]);
    await rm(join(top, ".gitignore"));
  });

  it.each([
    ["*.ts", ["a.ts", "src/b.ts", "src/deep/c.ts"]],
    ["*.{ts,tsx}", ["a.ts", "src/b.ts", "src/deep/c.ts", "src/deep/d.tsx"]],
    ["src/*.ts", ["src/b.ts"]],
    ["./src/*.ts", ["src/b.ts"]],
    ["src/**/*.ts", ["src/b.ts", "src/deep/c.ts"]],
    ["src/**", ["src/b.ts", "src/deep/c.ts", "src/deep/d.tsx"]],
    ["src/", ["src/b.ts", "src/deep/c.ts", "src/deep/d.tsx"]],
    ["**/deep/*", ["src/deep/c.ts", "src/deep/d.tsx"]],
    ["{src/deep,lib}/*.{tsx,js}", ["lib/e.js", "src/deep/d.tsx"]],
    ["[!a]*.ts", ["src/b.ts", "src/deep/c.ts"]],
    ["**/c,d.ts", []],
    ["!*.ts", ["lib/e.js", "src/deep/d.tsx"]],
    ["!src/**", ["a.ts", "lib/e.js"]],
  ])("narrows by glob %s", async (glob, paths) => {
    const { search } = await open({
      "a.ts": "foo",
      "src/b.ts": "foo",
      "src/deep/c.ts": "foo",
      "src/deep/d.tsx": "foo",
      "lib/e.js": "foo",
    });
    for (const output of ["lines", "files"] as const) {
      const { files } = await search("foo", { globs: [glob], output });
      expect(files.map(({ path }) => path).sort()).toEqual(paths.toSorted());
    }
  });

  it("accepts a glob relative to the searched folder", async () => {
    const { search } = await open({ "src/deep/c.ts": "foo", "src/b.ts": "foo" });
    expect(shown(await search("foo", { path: "src", globs: ["deep/*.ts"] }))).toEqual([
      "src/deep/c.ts:1:foo",
    ]);
    expect(shown(await search("foo", { path: "src", globs: ["src/deep/*.ts"] }))).toEqual([
      "src/deep/c.ts:1:foo",
    ]);
  });

  it("accepts patterns that begin with a dash, several patterns, and ignores case on request", async () => {
    const { search } = await open({ "a.txt": "--flag\n-e\nother\nFLAG\n" });
    expect(shown(await search("--flag"))).toEqual(["a.txt:1:--flag"]);
    expect(shown(await search(["-e", "oth"]))).toEqual(["a.txt:2:-e", "a.txt:3:other"]);
    expect(shown(await search("flag", { ignoreCase: true }))).toEqual(["a.txt:1:--flag", "a.txt:4:FLAG"]);
    expect(shown(await search("Flag"))).toEqual([]);
    expect((await search("", { output: "count" })).matchedLines).toBe(4);
  });

  it("truncates a long line around its match", async () => {
    const { search } = await open({
      "a.txt": `${"é".repeat(3_000)}needle${"x".repeat(10_000_000)}\nneedle\n`,
    });
    const result = await search("needle");
    const [long = "", short] = shown(result);
    expect(long).toBe(`a.txt:1:${"é".repeat(120)}needle${"x".repeat(274)}`);
    expect(short).toBe("a.txt:2:needle");
    const [line] = result.files[0]?.lines ?? [];
    expect(line).toMatchObject({ column: 2_881, hidden: { characters: 10_000_000 - 274 } });
  });

  it("decodes CRLF, UTF-16 and broken UTF-8", async () => {
    const { search } = await open({
      "crlf.txt": "one foo\r\ntwo\r\n",
      "utf16.txt": Buffer.from("\uFEFFfoo é\r\n", "utf16le"),
      "broken.txt": Buffer.from("foo \xff\n", "latin1"),
    });
    expect(shown(await search("foo"))).toEqual([
      "broken.txt:1:foo \uFFFD",
      "crlf.txt:1:one foo",
      "utf16.txt:1:foo é",
    ]);
    expect(shown(await search("foo$"))).toEqual(["crlf.txt:1:one foo"]);
  });

  it("skips binary files", async () => {
    const { search } = await open({ "a.bin": "foo\0foo\n", "a.txt": "foo\n" });
    expect(shown(await search("foo"))).toEqual(["a.txt:1:foo"]);
    const named = await search("foo", { path: "a.bin" });
    expect(named).toMatchObject({ files: [], skipped: { matchingBinary: ["a.bin"] } });
  });

  it("shows matches before the first NUL and reports that it stopped there", async () => {
    const { search } = await open({ "late.txt": `foo\n${"x\n".repeat(100_000)}\0\nfoo\n`, "z.txt": "foo\n" });
    const result = await search("foo");
    expect(shown(result)).toEqual(["late.txt:1:foo", "z.txt:1:foo"]);
    expect(result.skipped.matchingBinary).toEqual(["late.txt"]);
  });

  it("rejects invalid regular expressions and names each", async () => {
    const { search } = await open({ "a.txt": "x" });
    for (const output of ["files", "count"] as const)
      expect((await errorOf(search("(foo", { output }))).message).toContain("unclosed group");
    const one = await errorOf(search("(foo"));
    expect([one.code, one.message]).toEqual([
      "invalid_input",
      "pattern is not a valid regular expression: unclosed group",
    ]);
    expect(one.suggestion).toContain("backslash");
    const more = await errorOf(search(["ok", "[", "a{2"]));
    expect(more.message).toMatch(/patterns\[1\] .*; patterns\[2\] /);
    expect((await errorOf(search("foo(?=bar)"))).suggestion).toContain("grep -P");
    expect((await errorOf(search("(a)\\1"))).code).toBe("invalid_input");
    expect((await errorOf(search("foo", { globs: ["["] }))).message).toContain("glob is not valid");
  });

  it("rejects targets and queries that cannot be searched", async () => {
    const { search } = await open({ "a.txt": "x" });
    expect((await errorOf(search("x", { path: "none" }))).code).toBe("file_not_found");
    expect((await errorOf(search("a\nb"))).message).toContain("contains a line end");
    expect((await errorOf(search([]))).message).toBe("pattern is missing");
    expect((await errorOf(search("x", { maxMatches: 0, beforeLines: -1 }))).message).toMatch(
      /before is -1 lines.*max_matches/,
    );
  });

  it("supports the options for words, lines, plain text, inverted matches and case", async () => {
    const { search } = await open({ "a.txt": "word\nwordy\na word here\nWORD\na.b\naxb\n" });
    const found = async (pattern: string, query: Query) =>
      shown(await search(pattern, query)).map((line) => line.split(":")[1]);
    expect(await found("word", { wordRegexp: true })).toEqual(["1", "3"]);
    expect(await found("word", { lineRegexp: true })).toEqual(["1"]);
    expect(await found("a.b", { fixedStrings: true })).toEqual(["5"]);
    expect(await found("word", { invertMatch: true })).toEqual(["4", "5", "6"]);
    expect(await found("word", { smartCase: true })).toEqual(["1", "2", "3", "4"]);
    expect(await found("WORD", { smartCase: true })).toEqual(["4"]);
    expect(await found("o", { maxPerFile: 2 })).toEqual(["1", "2"]);
    expect(shown(await search("WORD", { beforeLines: 1 }))).toEqual(["a.txt-3-a word here", "a.txt:4:WORD"]);
    expect(shown(await search("WORD", { afterLines: 1 }))).toEqual(["a.txt:4:WORD", "a.txt-5-a.b"]);
  });

  it("lets the last matching glob decide", async () => {
    const { search } = await open({ "a.ts": "x", "b.ts": "x", "c.py": "x" });
    const found = async (...globs: string[]) => (await search("x", { globs })).files.map(({ path }) => path);
    expect(await found("*.ts", "*.py")).toEqual(["a.ts", "b.ts", "c.py"]);
    expect(await found("*.ts", "!b.ts")).toEqual(["a.ts"]);
    expect(await found("!*.ts", "b.ts")).toEqual(["b.ts"]);
    expect(await found("!b.ts", "!*.py")).toEqual(["a.ts"]);
  });

  it("searches several targets, each file once, and ignored files if named", async () => {
    const { root } = await open({
      "src/a.ts": "x",
      "src/b.ts": "x",
      "c.ts": "x",
      "made/d.ts": "x",
      ".ignore": "made",
    });
    const jail = createJail([root]);
    const at = (...paths: string[]) => Promise.all(paths.map((path) => jail.resolve(path, root)));
    const found = async (...paths: string[]) => {
      const result = await grep(
        await at(...paths),
        { patterns: ["x"] },
        programs === undefined ? {} : { programs },
      );
      expect(result.matchedLines).toBe(shown(result).length);
      return result.files.map(({ path }) => path);
    };
    expect(await found("src", "c.ts")).toEqual(["c.ts", "src/a.ts", "src/b.ts"]);
    expect(await found("src", "src/a.ts", "src")).toEqual(["src/a.ts", "src/b.ts"]);
    expect(await found("made/d.ts", "src")).toEqual(["made/d.ts", "src/a.ts", "src/b.ts"]);
  });

  it("searches targets outside of the workspace together with those inside", async () => {
    const { root } = await open({ "a.ts": "x" });
    const other = await mkdtemp(join(top, "o-"));
    await writeFile(join(other, "b.ts"), "x");
    const jail = createJail([root, other]);
    const targets = [await jail.resolve(".", root), await jail.resolve(other, root)];
    const options = programs === undefined ? {} : { programs };
    const result = await grep(targets, { patterns: ["x"] }, options);
    expect(result).toMatchObject({ matchedFiles: 2, matchedLines: 2, shown: 2 });
    expect(new Set(result.files.map(({ path }) => path))).toEqual(new Set(["a.ts", join(other, "b.ts")]));
    expect((await grep(targets, { patterns: ["x"], maxMatches: 1 }, options)).shown).toBe(1);
  });

  it.skipIf(!linux)("accepts any file name", async () => {
    const names = ["with space", "-e", "new\nline", "quo'te\"", "ünï"];
    const { root, search } = await open(Object.fromEntries(names.map((name) => [name, "foo\n"])));
    await writeFile(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff])]), "foo\n");
    const result = await search("foo");
    const unreadable = programs === undefined ? 0 : 1;
    const readable = unreadable === 0 ? [...names, "bad\uFFFD"] : names;
    expect(result.files.map(({ path }) => path).sort()).toEqual(readable.sort());
    expect(result.skipped.unreadable).toBe(unreadable);
    for (const path of names) expect(shown(await search("foo", { path }))).toEqual([`${path}:1:foo`]);
  });

  it.skipIf(!linux)("neither follows links nor waits for pipes", async () => {
    const { root, search } = await open({ "a/a.txt": "foo" });
    await symlink("..", join(root, "a", "up"));
    await symlink("loop", join(root, "loop"));
    await symlink("/etc/passwd", join(root, "passwd"));
    execFileSync("mkfifo", [join(root, "pipe")]);
    expect(shown(await search("foo|root"))).toEqual(["a/a.txt:1:foo"]);
    expect((await errorOf(search("foo", { path: "pipe" }))).code).toBe("not_text");
    expect((await errorOf(search("foo", { path: "passwd" }))).code).toBe("workspace_not_allowed");
  });

  it("returns the first matches in path order when there are far too many", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`f${i + 100}.txt`, "foo\n".repeat(400)]),
    );
    const { search } = await open(files);
    const result = await search("foo", { maxMatches: 1_000 });
    expect(result.files.map(({ path, lines }) => [path, lines.length])).toEqual([
      ["f100.txt", 400],
      ["f101.txt", 400],
      ["f102.txt", 200],
    ]);
    expect(result).toMatchObject({ shown: 1_000, totalsAreExact: false });
    expect(result.searchedFiles).toBeUndefined();
  });
});

describe("patterns have the same meaning with and without ripgrep", () => {
  const lines = [
    "foo bar",
    "Foo_bar 42",
    "été ÉTÉ naïve",
    "a.b*c(d)[e]{f}",
    "x-y&&z~~ #tag @me",
    "\ttab\u00a0nbsp",
    "Ωmega 😀 end",
    "//comment {2,3} ]",
    "aaa aa a",
    "",
    "trailing  ",
  ];
  const both: Awaited<ReturnType<typeof workspace>>[] = [];
  beforeAll(async () => {
    const files = { "t.txt": lines.map((line) => `${line}\n`).join("") };
    both.push(await workspace(files), await workspace(files, []));
  });

  it.each([
    "fo+",
    "^foo",
    "bar$",
    "^$",
    "\\s$",
    "(?i)foo",
    "(?P<first>F)oo",
    "(?<first>F)oo",
    "(?:Foo|x-y)",
    "(?s:foo)",
    "\\w+_\\w+",
    "\\d{2}",
    "a{2,}",
    "a{3}",
    "^\\w+ \\w+ \\w+$",
    "[[:upper:]][[:lower:]]",
    "[[:^alpha:]]\\d",
    "[^\\w\\s]",
    "[]x]",
    "[^]a-zA-Z ]$",
    "[a-c&&b-d]\\*",
    "[a-z--b]\\.",
    "[-x]y?",
    "[x-]-",
    "[(){}|/]",
    "\\{f\\}",
    "\\(d\\)\\[e\\]",
    "x\\-y",
    "\\#tag \\@me",
    "\\x41|\\x{1F600}",
    "\\u{3A9}",
    "\\pL\\p{Ll}+ É",
    "\\p{Greek}",
    "\\P{L}42",
    "[a-z--b&&a-c--a]",
    "[[:nope:]]b",
    "[^a-z&&[^A-Z]]é",
    "\\bbar\\b",
    "]",
    "}",
    "été",
    "\\t",
    "(foo)(bar)?",
  ])("%s", async (pattern) => {
    const [expected, found] = await Promise.all(both.map(async ({ search }) => shown(await search(pattern))));
    expect(found).toEqual(expected);
  });

  it.each(["(", ")", "[", "a{2", "*a", "(?=a)", "(?<!a)", "(a)\\1", "\\y", "\\p{Nope}", "a**{", "\\"])(
    "refuses %s",
    async (pattern) => {
      for (const { search } of both) expect((await errorOf(search(pattern))).code).toBe("invalid_input");
    },
  );

  it("interrupts a pattern that would take forever", async () => {
    const { search } = await workspace({ "a.txt": `${"a".repeat(60)}!\n` }, []);
    expect((await errorOf(search("^(a+)+$"))).code).toBe("timed_out");
  });
});

it("falls back to the next program if one does not start", async () => {
  const { rgPath } = await import("@vscode/ripgrep");
  const { search } = await workspace({ "a.txt": "foo" }, ["/nowhere/rg", rgPath]);
  expect(shown(await search("foo"))).toEqual(["a.txt:1:foo"]);
});
