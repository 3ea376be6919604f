import { isAbsolute } from "node:path";
import { type Client, fieldsOf, type Places, type Scope } from "./client.ts";
import { readJson, removeJsonEntry } from "./json-edit.ts";
import { type Change, type FileView, namingFile, splitMark } from "./plan.ts";

/** Earlier versions wrote this line into the program that the setting names. */
const PROGRAM_MARK = "# Runs a script through Pith;";

interface PrefixRequest {
  readonly clients: readonly Client[];
  readonly scopes: readonly Scope[];
  readonly places: Places;
  /** The program that earlier versions put into the data folder. */
  readonly program: string;
}

/** A setting of an earlier version that sends all that a client starts through Pith. */
export interface FoundPrefix {
  readonly client: Client;
  readonly scope: Scope;
  readonly file: string;
}

/**
 * Takes out the shell prefix that earlier versions set. The client runs not only its shell tool with it but also other
 * MCP servers and the user's own hooks. The program stays: other projects may name it, and without it their commands
 * would not run.
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

/** Where the setting is there and names our program; one of somebody else's is not ours to take out. */
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

/** A data folder may have been another one when the program was written: what it says counts. */
function isProgramOfOurs(path: string, view: FileView): boolean {
  try {
    return isAbsolute(path) && view.read(path)?.includes(PROGRAM_MARK) === true;
  } catch {
    // A folder, or bytes that are no text: surely not the script that Pith wrote.
    return false;
  }
}
