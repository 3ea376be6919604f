import { basename } from "node:path/posix";
import { PithError } from "../../kernel/errors.ts";
import { compileGlob, InvalidGlob } from "../../security/glob.ts";

/** Globs as arguments of ripgrep, which narrow the search, and as a filter, which makes the final decision. */
export interface GlobPlan {
  readonly args: readonly string[];
  /**
   * Tests whether a file is searched, by its paths relative to the workspace and to the searched folders; one matching
   * path is enough.
   */
  readonly accepts: (...paths: readonly string[]) => boolean;
}

interface Glob {
  readonly text: string;
  readonly negated: boolean;
  readonly pattern: string;
  readonly matches: (path: string) => boolean;
}

/**
 * Reads globs; the last one that matches a file decides, as in ripgrep. They are not passed as --glob, because that
 * option would include ignored files. Instead, the last part of each glob becomes a ripgrep file type, which sees only
 * file names, and the filter checks the folders.
 */
export function planGlobs(globs: readonly string[], hasTypes = false): GlobPlan {
  const read = globs.filter((glob) => glob !== "").map(readGlob);
  const wanted = read.filter(({ negated }) => !negated);
  const accepts = (...paths: readonly string[]): boolean => {
    const last = read.findLast(({ matches }) => paths.some(matches));
    return last === undefined ? wanted.length === 0 : !last.negated;
  };
  if (wanted.length === 0) return { args: read.flatMap(({ text }) => ["--glob", text]), accepts };
  const names = wanted.map(({ pattern }) => lastPart(pattern));
  // No file type is added if the caller gave types, because ripgrep searches files of any given type and the search
  // would become wider.
  const isNarrow = !hasTypes && !names.some((name) => name === "**" || name === "*");
  const types = isNarrow ? names.flatMap((name) => ["--type-add", `pith:${name}`]) : [];
  return { args: isNarrow ? [...types, "--type", "pith"] : [], accepts };
}

function readGlob(text: string): Glob {
  const bare = text.replace(/^!?(?:\.?\/)*/, "");
  // As in ripgrep, `!test/` leaves out every folder of that name, while `!/test/` and `!src/test/` mean one place.
  const isAnywhere = /^![^/]+\/$/.test(text);
  const pattern = `${isAnywhere ? "**/" : ""}${bare.replace(/\/$/, "/**")}`;
  try {
    return { text, negated: text.startsWith("!"), pattern, matches: compileGlob(pattern) };
  } catch (error) {
    if (!(error instanceof InvalidGlob)) throw error;
    throw new PithError(
      "invalid_input",
      `glob is not valid: ${error.message} in ${text}`,
      {},
      { cause: error },
    );
  }
}

/** Creates a test of paths relative to the working directory. A file that the caller named is always accepted. */
export function globFilter(
  { targets }: { readonly targets: readonly { readonly below: string; readonly isFile: boolean }[] },
  glob: GlobPlan,
): (path: string) => boolean {
  const prefixes = targets.map(({ below }) => (below === "." ? "" : `${below}/`));
  const named = new Set(targets.filter(({ isFile }) => isFile).map(({ below }) => below));
  return (path) =>
    named.has(path) ||
    glob.accepts(
      path,
      ...prefixes.filter((one) => path.startsWith(one)).map((one) => path.slice(one.length)),
    );
}

/** Returns the part of a glob after the last slash, or `**` if that slash is inside braces. */
function lastPart(pattern: string): string {
  const name = basename(pattern);
  const opened = name.split("{").length;
  return opened === name.split("}").length ? name : "**";
}
