import { basename } from "node:path/posix";
import ignore from "ignore";
import { PithError } from "../../kernel/errors.ts";

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

/** The most alternatives that the braces of one glob may unfold into. */
const MAX_ALTERNATIVES = 100;

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
  if (/\[[^\]]*$/.test(pattern))
    throw new PithError("invalid_input", `glob is not valid: unclosed [ in ${text}`);
  const anchor = pattern.includes("/") ? "/" : "";
  const matcher = ignore({ ignorecase: false }).add(unfoldBraces(pattern).map((one) => `${anchor}${one}`));
  return {
    text,
    negated: text.startsWith("!"),
    pattern,
    matches: (path) => ignore.isPathValid(path) && matcher.ignores(path),
  };
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

/** `a.{ts,tsx}` as `a.ts` and `a.tsx`, nested braces included. */
function unfoldBraces(pattern: string): string[] {
  const unfolded: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const group = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(next);
    if (group === null) unfolded.push(next);
    else for (const choice of (group[2] ?? "").split(",")) open.push(`${group[1]}${choice}${group[3]}`);
    if (open.length + unfolded.length > MAX_ALTERNATIVES)
      throw new PithError(
        "invalid_input",
        `The braces of glob unfold into more than ${MAX_ALTERNATIVES} patterns`,
      );
  }
  return unfolded;
}
