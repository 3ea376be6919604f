import { applyEdits, modify } from "jsonc-parser";
import { isDeepStrictEqual } from "node:util";
import { quoteWord } from "../../shell/quote-word.ts";
import { type Client, fieldsOf, type ServerCommand } from "./client.ts";
import { readJson } from "./json-edit.ts";
import { type Change, type FileView, type InitRequest, namingFile, splitMark } from "./plan.ts";

/** The tools of a client after which Pith's hook runs. */
const AFTER_TOOLS = "Bash|Read";
/** Seconds that a client waits for the hook; Pith itself gives up earlier. */
const TIMEOUT_SECONDS = 10;

/** Plans the hooks of the clients that have them: adds them, or with `undo` removes them. */
export function planHooks(request: InitRequest, view: FileView): readonly Change[] {
  return request.clients.flatMap((client) => {
    const file = client.hookFile?.(request.scope, request.places);
    return file === undefined ? [] : [planFile(client, file, request, view)];
  });
}

function planFile(client: Client, file: string, request: InitRequest, view: FileView): Change {
  const before = view.read(file);
  return namingFile(file, () => {
    const { mark, body } = splitMark(before ?? "");
    const cleared = withoutHooks(body);
    const after = request.undo ? cleared : withHook(cleared, request.server(request.scope));
    const isSame = isDeepStrictEqual(readJson(body), readJson(after));
    const isEmpty = after.trim() === "" || isDeepStrictEqual(readJson(after), {});
    return {
      client: { ...client, title: `${client.title}'s hooks` },
      file,
      before,
      after: isSame ? before : isEmpty && request.undo ? undefined : mark + after,
      state: isSame ? "unchanged" : request.undo ? "removed" : "added",
    };
  });
}

function withHook(text: string, server: ServerCommand): string {
  const hook = { type: "command", command: hookCommand(server), timeout: TIMEOUT_SECONDS };
  const entry = { matcher: AFTER_TOOLS, hooks: [hook] };
  const current = fieldsOf(fieldsOf(readJson(text))["hooks"])["PostToolUse"];
  const at = Array.isArray(current) ? current.length : 0;
  return edited(text.trim() === "" ? "{}" : text, ["hooks", "PostToolUse", at], entry);
}

/** Removes Pith's entries, and lists and objects that become empty. Entries of others stay. */
function withoutHooks(text: string): string {
  const list = fieldsOf(fieldsOf(readJson(text))["hooks"])["PostToolUse"];
  if (!Array.isArray(list)) return text;
  let rest = text;
  for (let at = list.length - 1; at >= 0; at--)
    if (isOurs(list[at])) rest = edited(rest, ["hooks", "PostToolUse", at], undefined);
  if (rest === text) return text;
  const hooks = fieldsOf(fieldsOf(readJson(rest))["hooks"]);
  if (isDeepStrictEqual(hooks["PostToolUse"], [])) rest = edited(rest, ["hooks", "PostToolUse"], undefined);
  return Object.keys(hooks).length === 1 && isDeepStrictEqual(hooks["PostToolUse"], [])
    ? edited(rest, ["hooks"], undefined)
    : rest;
}

function isOurs(entry: unknown): boolean {
  const { hooks } = fieldsOf(entry);
  const [only, ...more] = Array.isArray(hooks) ? hooks : [];
  const { command } = fieldsOf(only);
  return more.length === 0 && typeof command === "string" && /\bpith(?:\.js)?['"]? hook$/.test(command);
}

/** Returns the command line of the hook: the command of the server with another verb. */
function hookCommand({ command, args }: ServerCommand): string {
  return [command, ...args.filter((word) => word !== "serve"), "hook"].map(quoteWord).join(" ");
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
