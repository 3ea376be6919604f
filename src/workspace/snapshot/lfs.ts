import { createHash } from "node:crypto";
import { join } from "node:path";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import { git, type GitRepository } from "../git/git-repository.ts";
import { diskPath, type BytePath } from "./byte-path.ts";
import type { Digest } from "./read-content.ts";

/**
 * Finds the paths that Git LFS manages. They have the attribute that `git lfs track` sets, so Git LFS itself need not
 * be run.
 */
export async function findLfsPaths(
  repository: GitRepository,
  paths: readonly BytePath[],
  signal?: AbortSignal,
): Promise<ReadonlySet<BytePath>> {
  const files = paths.filter((path) => path === ATTRIBUTES || path.endsWith(`/${ATTRIBUTES}`));
  const places = files.map((path) => diskPath(repository.topLevel, path));
  places.push(join(repository.commonDir, "info", "attributes"));
  if (!places.some(mentionsLfs)) return new Set();
  const result = await git(repository.topLevel, ["check-attr", "-z", "--stdin", "filter"], {
    input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
    maxBytes: MAX_OUTPUT_BYTES,
    ...(signal && { signal }),
  });
  const fields = result.stdout.toString("latin1").split("\0");
  const found = new Set<BytePath>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const path = fields[at];
    if (path !== undefined && fields[at + 2] === "lfs") found.add(path);
  }
  return found;
}

/**
 * Computes the pointer that Git LFS stores in place of a file; a file that is already a pointer is returned as it is.
 */
export function lfsPointer(): Digest {
  const hash = createHash("sha256");
  let start = Buffer.alloc(0);
  return {
    update(chunk) {
      hash.update(chunk);
      if (start.length < MAX_POINTER_BYTES)
        start = Buffer.concat([start, chunk.subarray(0, MAX_POINTER_BYTES)]);
    },
    finish(length) {
      if (length < MAX_POINTER_BYTES && (length === 0 || isPointer(start))) return start;
      return Buffer.from(`${FIRST_LINE}\noid sha256:${hash.digest("hex")}\nsize ${length}\n`);
    },
  };
}

const ATTRIBUTES = ".gitattributes";
const FIRST_LINE = "version https://git-lfs.github.com/spec/v1";
/** Maximum size of a Git LFS pointer, as its format defines it. */
export const MAX_POINTER_BYTES = 1024;
const MAX_OUTPUT_BYTES = 512 * 1024 * 1024;

function isPointer(content: Buffer): boolean {
  const text = content.toString("latin1");
  return (
    text.startsWith(`${FIRST_LINE}\n`) && /^oid sha256:[0-9a-f]{64}$/m.test(text) && /^size \d+$/m.test(text)
  );
}

function mentionsLfs(place: string | Buffer): boolean {
  const read = readSmallFile(place);
  return "bytes" in read && read.bytes.includes("lfs");
}
