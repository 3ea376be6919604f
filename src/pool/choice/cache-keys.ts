import { join } from "node:path";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import { contentId } from "../../kernel/ids.ts";
import { findEcosystems, type PrepareSpec } from "../environments/detect.ts";

/** A larger lock file is not read only to choose a worker. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The store takes no job with more than 100 keys, of which one is that of the repository. */
const MAX_KEYS = 90;

/**
 * Names what a job would install, by the content of its lock files. A worker that has installed the same before is
 * preferred. The exact keys of layers depend on the worker's tools, which the submitter does not know.
 */
export function cacheKeys(
  spec: Pick<PrepareSpec, "programs" | "folders">,
  place: { readonly root: string; readonly cwd: string },
): string[] {
  const found = findEcosystems(spec, place).slice(0, MAX_KEYS);
  return found.flatMap(({ ecosystem, folder }) => {
    const locks = ecosystem.locks.map((lock) =>
      readSmallFile(join(place.root, folder, lock), { maxBytes: MAX_BYTES, within: place.root }),
    );
    const lockFile = locks.find((lock) => "bytes" in lock);
    return lockFile === undefined || !("bytes" in lockFile)
      ? []
      : [`${ecosystem.id} ${contentId(lockFile.bytes.toString("latin1"))}`];
  });
}
