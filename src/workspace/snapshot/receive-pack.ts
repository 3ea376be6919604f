import { PithError } from "../../kernel/errors.ts";
import { privateGit, type Variables } from "./private-git.ts";

/**
 * Takes a pack into a repository and proves that the commit is complete. Git writes each object under a temporary name
 * first, so a kill at any moment leaves only files that nobody looks at.
 */
export async function receivePack(
  pack: {
    readonly commit: string;
    readonly needs: readonly string[];
    readonly bytes: AsyncIterable<Uint8Array>;
  },
  at: { readonly gitDir: string; readonly variables: Variables; readonly signal?: AbortSignal },
): Promise<void> {
  const { objects, bytes, failure } = await peek(pack.bytes);
  const how = objects <= MAX_LOOSE ? ["unpack-objects", "-q"] : ["index-pack", "--stdin", "--fix-thin"];
  const taken = await privateGit(how, { ...at, input: bytes });
  if (failure.error !== undefined) throw failure.error;
  if (taken.exitCode !== 0) throw broken(pack.commit, taken.stderr);
  const known = pack.needs.map((commit) => `^${commit}`);
  const proof = await privateGit(["rev-list", "--objects", "--quiet", pack.commit, ...known], at);
  if (proof.exitCode !== 0) throw broken(pack.commit, proof.stderr);
}

/** Many small packs would slow down every look-up, many small files every copy: git's own limit between the two. */
const MAX_LOOSE = 100;
const HEADER_BYTES = 12;

/** A pack tells at its beginning how many objects it holds. */
async function peek(
  source: AsyncIterable<Uint8Array>,
): Promise<{ objects: number; bytes: AsyncIterable<Uint8Array>; failure: { error?: unknown } }> {
  const iterator = source[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  while (start.length < HEADER_BYTES) {
    const next = await iterator.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const objects = start.length < HEADER_BYTES ? 0 : start.readUInt32BE(8);
  const failure: { error?: unknown } = {};
  async function* all() {
    try {
      yield start;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } catch (error) {
      // Git sees no more than an early end; the reader's own word says why.
      failure.error = error;
      throw error;
    }
  }
  return { objects, bytes: all(), failure };
}

function broken(commit: string, stderr: string): PithError {
  return new PithError("result_not_found", `The pack of ${commit} is not complete: ${stderr.trim()}`, {
    commit,
  });
}
