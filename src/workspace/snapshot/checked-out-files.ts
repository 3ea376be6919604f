import { join } from "node:path";
import { privateGitOk, type Variables } from "./private-git.ts";

/** Returns the id of the content of a snapshot that is checked out in a folder, which is the same for the same files. */
export async function checkedOutTree(
  folder: string,
  variables: Variables,
  signal?: AbortSignal,
): Promise<string> {
  const id = await privateGitOk(["rev-parse", "HEAD^{tree}"], {
    gitDir: join(folder, ".git"),
    variables,
    ...(signal && { signal }),
  });
  return id.toString("utf8").trim();
}

const MAX_LISTING_BYTES = 512 * 1024 * 1024;

/** Lists the files of a snapshot that is checked out in a folder, relative to the folder. */
export async function checkedOutFiles(
  folder: string,
  variables: Variables,
  signal?: AbortSignal,
): Promise<string[]> {
  const listing = await privateGitOk(["ls-files", "-z"], {
    gitDir: join(folder, ".git"),
    workTree: folder,
    variables,
    maxBytes: MAX_LISTING_BYTES,
    ...(signal && { signal }),
  });
  return listing.toString("utf8").split("\0").filter(Boolean);
}
