import { execFile } from "node:child_process";
import { mkdtemp, open, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";

/** Reads or searches in a child process and prints the result with the growth of its memory in bytes. */
const CHILD = `
import { readFileSync } from "node:fs";
import { createJail } from "./src/workspace/jail.ts";
import { grep } from "./src/workspace/grep/grep.ts";
import { readLines } from "./src/workspace/files/read.ts";
const [root, path, what, options] = process.argv.slice(2);
const target = await createJail([root]).resolve(path, root);
const highWater = () => Number(/VmHWM:\\s+(\\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
const before = highWater();
const answer = await (what === "read" ? readLines(target, JSON.parse(options)) : grep(target, JSON.parse(options)));
const grown = highWater() - before;
console.log(JSON.stringify({ answer, grown }));
`;
const repository = resolve(import.meta.dirname, "../..");
/** The kernel reports the peak of a process's private memory in this file. */
const linux = process.platform === "linux";
const MB = 1024 * 1024;
let root: string;
let child: string;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pith-memory-")));
  // The script lies inside the repository, so that the child process finds the packages.
  child = join(await mkdtemp(join(repository, "node_modules", ".pith-memory-")), "child.mjs");
  await build({
    stdin: { contents: CHILD, resolveDir: repository, loader: "ts" },
    outfile: child,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["@vscode/ripgrep"],
  });
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
  await rm(resolve(child, ".."), { recursive: true, force: true });
});

async function measure(path: string, what: "read" | "grep", options: object) {
  const argv = [child, root, path, what, JSON.stringify(options)];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { maxBuffer: 64 * MB });
  return JSON.parse(stdout) as { answer: Record<string, unknown>; grown: number };
}

/** Many times the memory that may be used. With PITH_TEST_FULL=1 places in the file need more than 31 bits. */
const HUGE = process.env["PITH_TEST_FULL"] === "1" ? 2 ** 31 : 400 * MB;

/** A sparse file with text at both ends and a large hole between, which takes no disk space. */
async function hugeFile(): Promise<string> {
  const handle = await open(join(root, "huge.log"), "w");
  await handle.write("needle here\n".repeat(2_000), 0);
  await handle.write("\nlast needle\n", HUGE);
  await handle.close();
  return "huge.log";
}

it.skipIf(!linux)("reads the beginning and the end of a huge file in bounded memory", async () => {
  const path = await hugeFile();
  const start = await measure(path, "read", { endLine: 2 });
  expect(start.answer).toMatchObject({ lines: ["needle here", "needle here"], totalIsExact: false });
  const end = await measure(path, "read", { aroundLine: 2_002, radius: 1 });
  expect(end.answer).toMatchObject({
    startLine: 2_001,
    endLine: 2_002,
    totalLines: 2_002,
    totalIsExact: true,
    clipped: [{ line: 2_001 }],
  });
  expect(start.grown).toBeLessThan(32 * MB);
  expect(end.grown).toBeLessThan(32 * MB);
  const found = await measure(path, "grep", { patterns: ["needle"], maxMatches: 3 });
  expect(found.answer).toMatchObject({ files: [], skipped: { matchingBinary: [path] } });
  expect(found.grown).toBeLessThan(32 * MB);
});

it.skipIf(!linux)("shows one line of 100 MB in bounded memory", async () => {
  await writeFile(join(root, "wide.txt"), `${"x".repeat(50 * MB)}needle${"y".repeat(50 * MB)}`);
  const read = await measure("wide.txt", "read", {});
  expect(read.answer).toMatchObject({
    totalLines: 1,
    clipped: [{ line: 1, characters: 100 * MB + 6 - 2_000 }],
  });
  expect(read.grown).toBeLessThan(32 * MB);
  const found = await measure("wide.txt", "grep", { patterns: ["needle"] });
  expect(found.answer).toMatchObject({
    shown: 1,
    files: [{ lines: [{ hidden: { characters: 50 * MB - 274 } }] }],
  });
  expect(found.grown).toBeLessThan(96 * MB);
});

it.skipIf(!linux)("stops a search that matches everything in bounded memory", async () => {
  for (let i = 0; i < 20; i++)
    await writeFile(join(root, `many-${i}.txt`), "a line of text\n".repeat(200_000));
  const found = await measure(".", "grep", {
    patterns: ["line"],
    glob: "many-*",
    maxMatches: 1_000,
    contextLines: 5,
  });
  expect(found.answer).toMatchObject({ shown: 1_000, totalsAreExact: false });
  expect(found.grown).toBeLessThan(96 * MB);
});
