import { isAbsolute } from "node:path";
import { type Client, fieldsOf, type Places, type Scope } from "./client.ts";
import { readJson, removeJsonEntry } from "./json-edit.ts";
import { type Change, type FileView, namingFile, splitMark } from "./plan.ts";

/** A line that earlier versions wrote into the program that the setting names. */
const PROGRAM_MARK = "# Runs a script through Pith;";

interface PrefixRequest {
  readonly clients: readonly Client[];
  readonly scopes: readonly Scope[];
  readonly places: Places;
  /** The program that earlier versions put into the data folder. */
  readonly program: string;
}

/** A setting of an earlier version that runs everything the client starts through Pith. */
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

/** Finds settings that name our program; a prefix that somebody else set is left alone. */
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

/** The data folder may have moved since the program was written, so its content decides. */
function isProgramOfOurs(path: string, view: FileView): boolean {
  try {
    return isAbsolute(path) && view.read(path)?.includes(PROGRAM_MARK) === true;
  } catch {
    // A folder or a binary file cannot be the script that Pith wrote.
    return false;
  }
}
