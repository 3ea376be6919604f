import { isAbsolute } from "node:path";
import { type Client, fieldsOf, type Places, type Scope } from "./client.ts";
import { readJson, removeJsonEntry } from "./json-edit.ts";
import { type Change, type FileView, namingFile, splitMark } from "./plan.ts";

/** A line by which the shell-prefix program that earlier versions of Pith wrote can be recognized. */
const PROGRAM_MARK = "# Runs a script through Pith;";

interface PrefixRequest {
  readonly clients: readonly Client[];
  readonly scopes: readonly Scope[];
  readonly places: Places;
  /** The path of the shell-prefix program that earlier versions put into the data folder. */
  readonly program: string;
}

/** A setting of an earlier version of Pith that makes everything the client starts run through Pith. */
export interface FoundPrefix {
  readonly client: Client;
  readonly scope: Scope;
  readonly file: string;
}

/**
 * Removes the shell prefix that earlier versions set, because clients apply it not only to their shell tool but also to other MCP servers
 * and the user's hooks. The program itself stays, because other projects may still name it.
 */
export function planPrefixRemoval(request: PrefixRequest, view: FileView): readonly Change[] {
  return findPrefixes(request, view).map(({ client, file }) =>
    namingFile(file, () => {
      const before = view.read(file);
      const { mark, body } = splitMark(before ?? "");
      const after = removeJsonEntry(body, client.shellPrefix?.path ?? ["", ""]);
      const title = `${client.title}'s shell prefix`;
      return {
        client: { ...client, title, next: "Sessions that start from now on run without it." },
        file,
        before,
        after: after === undefined ? undefined : mark + after,
        state: "removed" as const,
      };
    }),
  );
}

/** Finds settings that name Pith's program as shell prefix; a prefix that somebody else set is left alone. */
export function findPrefixes(
  { clients, scopes, places, program }: PrefixRequest,
  view: FileView,
): FoundPrefix[] {
  return clients.flatMap((client) => {
    const { shellPrefix: prefix } = client;
    if (prefix === undefined) return [];
    return scopes.flatMap((scope) => {
      const file = prefix.file(scope, places);
      const [group, name] = prefix.path;
      const settings = namingFile(file, () => readJson(splitMark(view.read(file) ?? "").body));
      const current = fieldsOf(fieldsOf(settings)[group])[name];
      const isOurs = typeof current === "string" && (current === program || isProgramOfOurs(current, view));
      return isOurs ? [{ client, scope, file }] : [];
    });
  });
}

/**
 * Returns whether a program is the one that Pith wrote. Its content decides and not its path, because the data folder
 * may have moved.
 */
function isProgramOfOurs(path: string, view: FileView): boolean {
  try {
    return isAbsolute(path) && view.read(path)?.includes(PROGRAM_MARK) === true;
  } catch {
    // The path is a folder or a binary file, so it cannot be the script that Pith wrote.
    return false;
  }
}
