import { basename } from "node:path/posix";
import ignore from "ignore";
import { PithError } from "../kernel/errors.ts";

/** A glob as ripgrep's arguments, which narrow the search, and as the rule that decides. */
export interface GlobPlan {
  readonly args: readonly string[];
  /** Paths relative to the workspace, and to the folder that is searched: one of them must fit. */
  readonly accepts: (fromBase: string, fromTarget: string) => boolean;
}

/** The most alternatives that the braces of one glob may unfold into. */
const MAX_ALTERNATIVES = 100;

/**
 * ripgrep's own --glob lets files through that the ignore rules leave out. A file type does not, but sees names alone:
 * so the last part of the glob becomes a type, and the folders of it are checked here.
 */
export function planGlob(glob: string | undefined): GlobPlan {
  if (glob === undefined || glob === "") return { args: [], accepts: () => true };
  const negated = glob.startsWith("!");
  const pattern = glob.replace(/^!?(?:\.?\/)*/, "").replace(/\/$/, "/**");
  if (/\[[^\]]*$/.test(pattern))
    throw new PithError("invalid_input", `glob is not valid: unclosed [ in ${glob}`);
  const anchor = pattern.includes("/") ? "/" : "";
  const matcher = ignore({ ignorecase: false }).add(unfoldBraces(pattern).map((one) => `${anchor}${one}`));
  const matches = (path: string) => ignore.isPathValid(path) && matcher.ignores(path);
  if (negated) return { args: ["--glob", glob], accepts: (...paths) => !paths.some(matches) };
  const name = lastPart(pattern);
  const args = name === "**" || name === "*" ? [] : ["--type-add", `pith:${name}`, "--type", "pith"];
  return { args, accepts: (...paths) => paths.some(matches) };
}

/** Whether a path relative to the folder of the search is one that the glob wants. */
export function globFilter({ below }: { readonly below: string }, glob: GlobPlan): (path: string) => boolean {
  const prefix = below === "." ? "" : `${below}/`;
  return (path) => glob.accepts(path, path.startsWith(prefix) ? path.slice(prefix.length) : path);
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
