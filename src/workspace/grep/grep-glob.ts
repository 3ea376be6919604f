import { basename } from "node:path/posix";
import { PithError } from "../../kernel/errors.ts";
import { compileGlob, InvalidGlob } from "../../security/glob.ts";

/** Globs as ripgrep's arguments, which narrow the search, and as the rule that decides. */
export interface GlobPlan {
  readonly args: readonly string[];
  /** Paths relative to the workspace, and to each folder that is searched: one of them must fit. */
  readonly accepts: (...paths: readonly string[]) => boolean;
}

interface Glob {
  readonly text: string;
  readonly negated: boolean;
  readonly pattern: string;
  readonly matches: (path: string) => boolean;
}

/**
 * Of several globs the last one that fits a file decides, as in ripgrep. ripgrep's own --glob lets files through that the
 * ignore rules leave out. A file type does not, but sees names alone: so the last part of a glob becomes a type, and the
 * folders of it are checked here.
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
  // A file of any of several types is searched: ours beside the caller's would search too many.
  const isNarrow = !hasTypes && !names.some((name) => name === "**" || name === "*");
  const types = isNarrow ? names.flatMap((name) => ["--type-add", `pith:${name}`]) : [];
  return { args: isNarrow ? [...types, "--type", "pith"] : [], accepts };
}

function readGlob(text: string): Glob {
  const pattern = text.replace(/^!?(?:\.?\/)*/, "").replace(/\/$/, "/**");
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

/** Whether a path relative to the folder of the search is one that the globs want; a file that is named itself always is. */
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

/** The part after the last slash; everything where that slash stands inside braces. */
function lastPart(pattern: string): string {
  const name = basename(pattern);
  const opened = name.split("{").length;
  return opened === name.split("}").length ? name : "**";
}
