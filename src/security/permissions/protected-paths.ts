import { resolve } from "node:path";
import { isInside } from "./is-inside.ts";
import type { Place } from "./place.ts";

/** A word that names a path, as far as it is known before the shell has expanded it. */
const WILD = /[*?[{]/;
const UNKNOWN = /[$`]/;
/** What a process sees under these paths is not what Pith sees there. */
const PROCESS_FOLDER = /^\/proc\/(?:self|thread-self|\d+|\$\$)\/(?:cwd|root|task|map_files)(?:\/|$)/;
/** Programs that change or remove a folder with everything in it. */
const CHANGES_FOLDERS = /^(?:ln|mv|rm|rmdir|chmod|chown|chgrp|shred|rsync|unlink|tar|unzip|cpio|7z|bsdtar)$/;

/** Tests for a program that does to a folder what it does to the files in it. */
export function changesFolders(name: string, args: readonly string[]): boolean {
  if (name === "cp" || name === "install")
    return args.some((text) => /^-\w*[aRr]|^--(?:rec|arch)/.test(text));
  if (name === "find") return args.some((text) => /^-(?:delete|exec|ok|fprint|fls)/.test(text));
  return CHANGES_FOLDERS.test(name);
}

/**
 * Checks whether a word names, or may name once it is expanded, something in Pith's own folders, seen from one of the
 * folders. With `isWhole` a folder that contains one of them counts too.
 */
export function isProtected(word: string, cwds: readonly string[], place: Place, isWhole = false): boolean {
  const { home, protectedFolders, files, workspace } = place;
  if (protectedFolders.length === 0 || word === "") return false;
  if (PROCESS_FOLDER.test(word)) return true;
  const folders = protectedFolders.flatMap((folder) => [folder, files.realPath(folder)]);
  const workspaces = [workspace, files.realPath(workspace)];
  // The job of a pool has its workspace in a folder of Pith.
  const isTheJobs = (path: string, folder: string): boolean =>
    workspaces.some((own) => isInside(own, folder) && isInside(path, own));
  return cwds.some((cwd) => {
    const path = word
      .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home)
      .replace(/^(?:~\+|\$PWD|\$\{PWD\})(?=\/|$)/, () => cwd);
    if (WILD.test(path) || UNKNOWN.test(path)) {
      // A word that is only an expansion could be anything.
      const known = path.replaceAll(/\$(?:\w+|\{[^}]*\}|\([^)]*\))|`[^`]*`/g, "$");
      if (/^[$/.*]*$/.test(known)) return false;
      const pattern = UNKNOWN.test(known.charAt(0)) ? known : resolve(cwd, known);
      return folders.some(
        (folder) => !isTheJobs(pattern, folder) && matches(pattern.split("/"), folder.split("/"), isWhole),
      );
    }
    const absolute = resolve(cwd, path);
    const real = files.realPath(absolute);
    return folders.some(
      (folder) =>
        [absolute, real].some((one) => isInside(one, folder) && !isTheJobs(one, folder)) ||
        (isWhole && (isInside(folder, absolute) || isInside(folder, real))),
    );
  });
}

/** Matches the parts of a path with those of a folder. A part with `$` stands for any number of parts. */
function matches(parts: readonly string[], folder: readonly string[], isWhole: boolean): boolean {
  const [part, ...rest] = parts;
  const [name, ...deeper] = folder;
  if (name === undefined) return true;
  if (part === undefined) return isWhole;
  if (part.includes("$")) {
    if (rest.length === 0) return false;
    return matches(rest, folder, isWhole) || matches(parts, deeper, isWhole);
  }
  return fits(part, name) && matches(rest, deeper, isWhole);
}

/** Checks a name with wildcards; everything from its first to its last one may be anything. */
function fits(part: string, name: string): boolean {
  if (!WILD.test(part)) return part === name;
  const before = part.slice(0, part.search(WILD));
  const after = /[^*?\]}]*$/.exec(part)?.[0] ?? "";
  return name.startsWith(before) && name.endsWith(after);
}
