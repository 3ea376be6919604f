import { PithError } from "../../kernel/errors.ts";
import { privateGit, type Variables } from "./private-git.ts";

/**
 * Stores a received pack in a repository and verifies that all objects of the commit are there. Git writes objects
 * under temporary names first, so a kill at any moment leaves only files that git ignores.
 */
export async function receivePack(
  pack: {
    readonly commit: string;
    readonly needs: readonly string[];
    readonly bytes: AsyncIterable<Uint8Array>;
  },
  at: { readonly gitDir: string; readonly variables: Variables; readonly signal?: AbortSignal },
): Promise<void> {
  const { objects, bytes, failure } = await readHeader(pack.bytes);
  const how =
    objects <= MAX_LOOSE_OBJECTS ? ["unpack-objects", "-q"] : ["index-pack", "--stdin", "--fix-thin"];
  const taken = await privateGit(how, { ...at, input: bytes });
  if (failure.error !== undefined) throw failure.error;
  if (taken.exitCode !== 0) throw incompletePack(pack.commit, taken.stderr);
  const known = pack.needs.map((commit) => `^${commit}`);
  const proof = await privateGit(["rev-list", "--objects", "--quiet", pack.commit, ...known], at);
  if (proof.exitCode !== 0) throw incompletePack(pack.commit, proof.stderr);
}

/**
 * Number of objects up to which a pack is unpacked to loose objects, because many small packs slow down lookups. Git
 * uses the same limit.
 */
const MAX_LOOSE_OBJECTS = 100;
const HEADER_BYTES = 12;

/** Reads the number of objects from the header of a pack; the returned stream contains the header again. */
async function readHeader(
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
      // The error is kept, because git only notices that its input ended early, whereas this error has the real reason.
      failure.error = error;
      throw error;
    }
  }
  return { objects, bytes: all(), failure };
}

function incompletePack(commit: string, stderr: string): PithError {
  return new PithError("result_not_found", `The pack of ${commit} is not complete: ${stderr.trim()}`, {
    commit,
  });
}
