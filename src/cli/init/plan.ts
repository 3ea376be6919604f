import { isDeepStrictEqual } from "node:util";
import { PithError } from "../../kernel/errors.ts";
import {
  type Client,
  type Entry,
  type Places,
  type Scope,
  SERVER_NAME,
  type ServerCommand,
} from "./client.ts";
import { FileProblem } from "./file-problem.ts";
import { jsonEntry, readJson, removeJsonEntry, setJsonEntry } from "./json-edit.ts";
import { readToml, removeTomlEntry, setTomlEntry, tomlEntry } from "./toml-edit.ts";
import { removeYamlEntry, setYamlEntry, yamlEntry } from "./yaml-edit.ts";

/** The planned change of one configuration file. A text that is undefined means that the file does not exist. */
export interface Change {
  readonly client: Client;
  readonly file: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly state: "added" | "updated" | "removed" | "unchanged";
}

/** The files on disk, as the planner sees them. */
export interface FileView {
  /** Returns the text of a file; undefined if there is none. */
  read(path: string): string | undefined;
  exists(path: string): boolean;
}

export interface InitRequest {
  readonly clients: readonly Client[];
  readonly scope: Scope;
  readonly places: Places;
  /** The command that starts the server, for a file of the project or of the user. */
  server(scope: Scope): ServerCommand;
  /** True to remove Pith's entry instead of adding it. */
  readonly undo?: boolean;
}

/**
 * Computes the new text of every client's configuration file without writing anything. If one file cannot be edited,
 * the whole plan fails.
 */
export function planInit(request: InitRequest, view: FileView): readonly Change[] {
  return request.clients.map((client) => planClient(client, request, view));
}

/** Returns the files as they will be after the changes. */
export function viewAfter(changes: readonly Change[], view: FileView): FileView {
  const planned = new Map(changes.map(({ file, after }) => [file, after]));
  return {
    read: (path) => (planned.has(path) ? planned.get(path) : view.read(path)),
    exists: (path) => (planned.has(path) ? planned.get(path) !== undefined : view.exists(path)),
  };
}

/** Returns the clients in use on this machine or in this workspace. */
export function detectClients(clients: readonly Client[], places: Places, view: FileView): readonly Client[] {
  return clients.filter((client) => client.signs(places).some((path) => view.exists(path)));
}

function planClient(client: Client, request: InitRequest, view: FileView): Change {
  const file = chooseFile(client, request, view);
  const before = view.read(file);
  return namingFile(file, () => {
    const entry = client.entry(
      request.server(client.userOnly === true ? "user" : request.scope),
      request.places,
    );
    const after = request.undo ? withoutEntry(client, before) : withEntry(client, before, entry);
    return { client, file, before, after, state: stateOf(client, before, after) };
  });
}

/** Runs work on a file's text and adds the file's name to errors about that text. */
export function namingFile<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    throw new PithError("config_invalid", `${file}:${error.line}: ${error.message}`, {
      suggestion: `Correct the file, then run pith init again; nothing was written.`,
    });
  }
}

/**
 * Chooses which configuration file of a client to edit: the one that already has Pith's entry, else the first existing
 * one, else the one to create.
 */
function chooseFile(client: Client, { scope, places }: InitRequest, view: FileView): string {
  const files = client.files(scope, places);
  const existing = files.filter((file) => view.exists(file));
  const holding = existing.find((file) => {
    try {
      return entryOf(client, view.read(file)) !== undefined;
    } catch (error) {
      // A file that does not parse is passed over here; the error is reported only if it is the file to edit.
      if (error instanceof FileProblem) return false;
      throw error;
    }
  });
  return holding ?? existing[0] ?? files[0];
}

/** The functions that read and change the entries of a configuration file, by its format. */
const EDITORS = {
  json: { set: setJsonEntry, remove: removeJsonEntry, read: jsonEntry },
  toml: {
    set: setTomlEntry,
    remove: removeTomlEntry,
    read: (text: string, path: readonly string[]) => tomlEntry(readToml(text), path),
  },
  yaml: { set: setYamlEntry, remove: removeYamlEntry, read: yamlEntry },
};

function withEntry(client: Client, text: string | undefined, entry: Entry): string {
  const { mark, body } = splitMark(text ?? "");
  return mark + EDITORS[client.format].set(body, pathOf(client, body), entry);
}

function withoutEntry(client: Client, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const { mark, body } = splitMark(text);
  const after = EDITORS[client.format].remove(body, pathOf(client, body));
  return after === undefined ? undefined : mark + after;
}

function stateOf(client: Client, before: string | undefined, after: string | undefined): Change["state"] {
  if (before === after) return "unchanged";
  const [old, current] = [entryOf(client, before), entryOf(client, after)];
  if (isDeepStrictEqual(old, current)) return "unchanged";
  if (current === undefined) return "removed";
  return old === undefined ? "added" : "updated";
}

/** Returns the fields of Pith's entry in a client's file; undefined if there is none. */
export function entryOf(
  client: Client,
  text: string | undefined,
): Readonly<Record<string, unknown>> | undefined {
  if (text === undefined) return undefined;
  const { body } = splitMark(text);
  return EDITORS[client.format].read(body, pathOf(client, body));
}

function pathOf(client: Client, text: string): readonly string[] {
  // Only clients with a JSON file keep their list of servers in different places.
  const current = client.format === "json" ? readJson(text) : undefined;
  return [...client.container(current), SERVER_NAME];
}

/** Splits off a byte order mark, which stays in the file but is not part of the text. */
export function splitMark(text: string): { readonly mark: string; readonly body: string } {
  return text.startsWith("\uFEFF") ? { mark: "\uFEFF", body: text.slice(1) } : { mark: "", body: text };
}
