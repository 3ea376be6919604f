import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const run = promisify(execFile);
const MAX_BYTES = 50_000_000;
/** Number of newest commits that are read; older code has other conventions. */
const MAX_COMMITS = 14_000;

export interface FileChange {
  readonly path: string;
  readonly status: string;
  readonly before: string;
  readonly after: string;
}

export interface Commit {
  readonly id: string;
  readonly message: string;
  readonly files: readonly FileChange[];
}

/** Returns the commits with one parent, newest first. */
export async function* commitsOf(repository: string): AsyncGenerator<Commit> {
  const format = "--format=%x01%H%x02%P%x02%B%x03";
  const options = [
    "--no-merges",
    "--no-renames",
    "--raw",
    "--no-abbrev",
    `--max-count=${MAX_COMMITS}`,
    format,
  ];
  const git = spawn("git", ["-C", repository, "log", ...options], { stdio: ["ignore", "pipe", "ignore"] });
  let record = "";
  for await (const line of createInterface({ input: git.stdout })) {
    if (line.startsWith("\u0001")) {
      yield* parsed(record);
      record = "";
    }
    record += `${line}\n`;
  }
  yield* parsed(record);
}

function* parsed(record: string): Generator<Commit> {
  const [text = "", changes = ""] = record.slice(1).split("\u0003");
  const [id = "", parents = "", message = ""] = text.split("\u0002");
  if (!/^[0-9a-f]{40,64}$/.test(parents)) return;
  const files = changes.split("\n").flatMap((line): FileChange[] => {
    const found = /^:\d+ \d+ ([0-9a-f]+) ([0-9a-f]+) (\w)\t(.*)$/.exec(line);
    if (found === null) return [];
    const [, before = "", after = "", status = "", path = ""] = found;
    return [{ path, status, before, after }];
  });
  yield { id, message, files };
}

/** Reads an old version of a file by `revision:path` or blob hash. */
export async function contentOf(repository: string, object: string): Promise<string> {
  const { stdout } = await run("git", ["-C", repository, "cat-file", "blob", object], {
    maxBuffer: MAX_BYTES,
  });
  return stdout;
}

export async function messageOf(repository: string, commit: string): Promise<string> {
  const { stdout } = await run("git", ["-C", repository, "show", "-s", "--format=%B", commit]);
  return stdout;
}
