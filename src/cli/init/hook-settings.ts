import { applyEdits, modify } from "jsonc-parser";
import { isDeepStrictEqual } from "node:util";
import { quoteWord } from "../../shell/quote-word.ts";
import { type Client, type ClientHooks, fieldsOf, type ServerCommand } from "./client.ts";
import { readJson } from "./json-edit.ts";
import { type Change, type FileView, type InitRequest, namingFile, splitMark } from "./plan.ts";

/** Plans the hooks of the clients that have them: adds them, or with `undo` removes them. */
export function planHooks(request: InitRequest, view: FileView): readonly Change[] {
  return request.clients.flatMap((client) => {
    const { hooks } = client;
    return hooks === undefined ? [] : [planFile(client, hooks, request, view)];
  });
}

function planFile(client: Client, hooks: ClientHooks, request: InitRequest, view: FileView): Change {
  const file = hooks.file(request.scope, request.places);
  const before = view.read(file);
  return namingFile(file, () => {
    const { mark, body } = splitMark(before ?? "");
    const cleared = withoutHooks(body);
    const command = hookCommand(request.server(request.scope), hooks.dialect);
    const after = request.undo ? cleared : withHooks(cleared, hooks.entries(command));
    const isSame = isDeepStrictEqual(readJson(body), readJson(after));
    const isEmpty = after.trim() === "" || isDeepStrictEqual(readJson(after), {});
    return {
      client: {
        ...client,
        title: `${client.title}'s hooks`,
        ...(hooks.next !== undefined && { next: hooks.next }),
      },
      file,
      before,
      after: isSame ? before : isEmpty && request.undo ? undefined : mark + after,
      state: isSame ? "unchanged" : request.undo ? "removed" : "added",
    };
  });
}

function withHooks(text: string, entries: Readonly<Record<string, object>>): string {
  let rest = text.trim() === "" ? "{}" : text;
  for (const [event, entry] of Object.entries(entries)) {
    const current = fieldsOf(fieldsOf(readJson(rest))["hooks"])[event];
    rest = edited(rest, ["hooks", event, Array.isArray(current) ? current.length : 0], entry);
  }
  return rest;
}

/** Removes Pith's entries, and lists and objects that become empty. Entries of others stay. */
function withoutHooks(text: string): string {
  let rest = text;
  for (const [event, list] of Object.entries(fieldsOf(fieldsOf(readJson(text))["hooks"]))) {
    if (!Array.isArray(list) || !list.some(isOurs)) continue;
    for (let at = list.length - 1; at >= 0; at--)
      if (isOurs(list[at])) rest = edited(rest, ["hooks", event, at], undefined);
    if (list.every(isOurs)) rest = edited(rest, ["hooks", event], undefined);
  }
  const isBare = rest !== text && isDeepStrictEqual(fieldsOf(readJson(rest))["hooks"], {});
  return isBare ? edited(rest, ["hooks"], undefined) : rest;
}

function isOurs(entry: unknown): boolean {
  const { hooks } = fieldsOf(entry);
  const [only, ...more] = Array.isArray(hooks) ? hooks : [entry];
  const { command } = fieldsOf(only);
  return more.length === 0 && typeof command === "string" && OUR_COMMAND.test(command);
}

/** Matches the command of a hook of Pith, however it is started. */
const OUR_COMMAND = /\bpith(?:\.js)?['"]? hook(?: [\w-]+)?$/;

/** Returns the command line of the hook: the command of the server with another verb. */
function hookCommand({ command, args }: ServerCommand, dialect?: string): string {
  const words = [command, ...args.filter((word) => word !== "serve"), "hook"];
  return [...words, ...(dialect === undefined ? [] : [dialect])].map(quoteWord).join(" ");
}

function edited(text: string, path: (string | number)[], value: unknown): string {
  const formattingOptions = {
    insertSpaces: !/\n\t/.test(text),
    tabSize: 2,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
  const isNew = value !== undefined && typeof path.at(-1) === "number";
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion: isNew }));
}
