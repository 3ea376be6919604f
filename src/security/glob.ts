import picomatch from "picomatch/posix.js";
import { compileUntrusted } from "./untrusted-regex.ts";

/** Thrown for a glob that cannot be read; the message names the reason. */
export class InvalidGlob extends Error {
  override readonly name = "InvalidGlob";
}

/**
 * Upper bound on the length of a glob. No path is longer, and the limit bounds the size of the regular expression
 * compiled from it.
 */
const MAX_GLOB_LENGTH = 4_096;

const OPTIONS = {
  dot: true,
  nonegate: true,
  noextglob: true,
  posix: true,
  strictSlashes: true,
  literalBrackets: false,
  fastpaths: false,
} as const;

/**
 * Compiles a glob as ripgrep reads it: `*` and `?` stay within a name, `**` crosses folders, `[a-z]` and `[!a]` are
 * character classes and `{a,b}` are alternatives. A glob without a slash matches at any depth, and a glob that matches
 * a folder matches every file below it. Paths are relative, with forward slashes.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  if (glob.length > MAX_GLOB_LENGTH) throw new InvalidGlob(`longer than ${MAX_GLOB_LENGTH} characters`);
  if (/(?<!\\)\[[^\]]*$/.test(glob)) throw new InvalidGlob("unclosed [");
  const anchored = glob.includes("/") ? glob : `**/${glob}`;
  const { source } = picomatch.makeRe(toPicomatch(anchored), OPTIONS);
  const regex = compileUntrusted(`${dropLookAheads(source).slice(0, -1)}(?:/.*)?$`, "s");
  return (path) => regex.test(path);
}

/**
 * Escapes groups, quantifiers and anchors, which picomatch (the glob library) takes from regular expressions and
 * ripgrep takes literally.
 */
function toPicomatch(glob: string): string {
  return (
    glob
      .replaceAll(/\\.|\[\^|[()|+"$^]/gs, (part) => (part.length > 1 ? part : `\\${part}`))
      // picomatch keeps the braces around a single alternative, as Bash does; here they are removed, as ripgrep does.
      .replaceAll(/(?<!\\)\{([^{},]*)\}/g, "$1")
      // A `*` that stands for a whole name must match at least one character, because a name is never empty.
      .replaceAll(/(?<=^|\/)\*(?=\/|$)/g, "?*")
  );
}

/**
 * Removes the look-aheads by which picomatch rejects empty, `.` and `..` segments. Relative paths have no such segments,
 * and only without look-aheads can V8 match a hostile glob in linear time.
 */
function dropLookAheads(source: string): string {
  return source.replaceAll(/(?<!\\)\(\?[!=](?:[^()]|\(\?:[^()]*\))*\)/g, "");
}
