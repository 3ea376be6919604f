import { opendir } from "node:fs/promises";
import { basename, dirname, relative, sep } from "node:path";
import type { Suggestion } from "../../kernel/calls.ts";
import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { contains } from "../../kernel/files/opened-path.ts";
import type { JailedPath } from "../jail.ts";

/** Maximum number of names in a folder that are compared with a misspelt name. */
const MAX_NAMES = 10_000;

/**
 * Creates the error for a missing path. It suggests similar names or, if there are none, a tool call that searches for
 * the name.
 */
export async function missingFile(target: JailedPath, cause: unknown): Promise<PithError> {
  const nearest = await nearestPaths(target);
  // For a name with replacement characters no tool call is suggested, because JSON cannot express its real bytes.
  const suggestion: Suggestion = target.shown.includes("\uFFFD")
    ? "Its name has bytes that are not UTF-8: read it in a shell, by a glob."
    : nearest.length > 0
      ? `Did you mean ${nearest.join(", ")}?`
      : findByName(basename(target.absolute));
  return new PithError(
    "file_not_found",
    `${target.shown} does not exist`,
    { ...(nearest.length > 0 && { nearest }), suggestion },
    { cause },
  );
}

function findByName(name: string): Suggestion {
  const args = { pattern: "", glob: `**/${name}`, output: "files" };
  return [
    { text: "Find it: CALL", call: { tool: "grep", args } },
    { text: "Check the spelling and call again." },
  ];
}

/** Finds names similar to the first missing part of a path, in the deepest folder that exists. */
async function nearestPaths({ absolute, base }: JailedPath): Promise<string[]> {
  for (let missing = absolute; missing !== base && contains(base, missing); missing = dirname(missing)) {
    const names = await listNames(dirname(missing));
    if (names === undefined) continue;
    const rest = absolute.slice(missing.length);
    const folder = relative(base, dirname(missing)).replaceAll(sep, "/");
    // If the missing part is a folder, only a similar folder is suggested, because it is unknown whether it contains
    // the rest of the path.
    const near = nearestNames(basename(missing), names);
    return near.map((name) => (folder === "" ? name : `${folder}/${name}`) + (rest === "" ? "" : "/"));
  }
  return [];
}

async function listNames(folder: string): Promise<string[] | undefined> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length === MAX_NAMES) break;
    }
    return names;
  } catch {
    // The folder is missing or not readable, so it has no names to suggest.
    return undefined;
  }
}
