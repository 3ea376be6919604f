import { opendir } from "node:fs/promises";
import { basename, dirname, relative, sep } from "node:path";
import type { Suggestion } from "../../kernel/calls.ts";
import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { contains, type JailedPath } from "../jail.ts";

/** So many names of a folder are compared; a misspelt name is found among fewer, or by grep. */
const MAX_NAMES = 10_000;

/** The error for a path that leads nowhere, with what was probably meant, or the call that finds it. */
export async function missingFile(target: JailedPath, cause: unknown): Promise<PithError> {
  const nearest = await nearestPaths(target);
  // A name that was shown with replacement characters cannot be written down in JSON.
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

/** Names like the first missing one, in the deepest folder that is there. */
async function nearestPaths({ absolute, base }: JailedPath): Promise<string[]> {
  for (let missing = absolute; missing !== base && contains(base, missing); missing = dirname(missing)) {
    const names = await namesIn(dirname(missing));
    if (names === undefined) continue;
    const rest = absolute.slice(missing.length);
    const folder = relative(base, dirname(missing)).replaceAll(sep, "/");
    // A folder with another name may hold the rest of the path or not: it is named alone.
    const near = nearestNames(basename(missing), names);
    return near.map((name) => (folder === "" ? name : `${folder}/${name}`) + (rest === "" ? "" : "/"));
  }
  return [];
}

async function namesIn(folder: string): Promise<string[] | undefined> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length === MAX_NAMES) break;
    }
    return names;
  } catch {
    // Missing too, no folder or closed to us: then there are no names to offer from here.
    return undefined;
  }
}
