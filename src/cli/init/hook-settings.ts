import { applyEdits, modify } from "jsonc-parser";
import { isDeepStrictEqual } from "node:util";
import { quoteWord } from "../../shell/quote-word.ts";
import { type Client, type ClientHooks, fieldsOf, WRITTEN_BY_PITH } from "./client.ts";
import { FileProblem } from "./file-problem.ts";
import { readJson } from "./json-edit.ts";
import { type Change, type FileView, type InitRequest, namingFile, splitMark } from "./plan.ts";

/** Plans the hooks of the clients that have them: adds them, or with `undo` removes them. */
export function planHooks(request: InitRequest, view: FileView): readonly Change[] {
  return request.clients.flatMap((client) => {
    const { hooks } = client;
    return hooks === undefined ? [] : [planFile(client, hooks, request, view)];
  });
}

/** Says for which clients there are no hooks, and why. */
export function missingHooks(clients: readonly Client[]): readonly string[] {
  return clients
    .filter(({ hooks }) => hooks === undefined)
    .map(({ title }) => `${title}: no hooks were set up; it has none that Pith can use.`);
}

function planFile(client: Client, hooks: ClientHooks, request: InitRequest, view: FileView): Change {
  const file = hooks.file(request.scope, request.places);
  const before = view.read(file);
  const { nextInProject: _ofServers, ...about } = client;
  const { next = client.next } = hooks;
  const plan = namingFile(file, () =>
    hooks.program === undefined
      ? settingsAfter(before, hooks, request)
      : programAfter(before, hooks.program, hooks, request),
  );
  const state =
    plan === before ? "unchanged" : request.undo ? "removed" : before === undefined ? "added" : "updated";
  return {
    client: { ...about, title: `${client.title}'s hooks`, ...(next !== undefined && { next }) },
    file,
    before,
    after: plan,
    state,
  };
}

function settingsAfter(
  before: string | undefined,
  hooks: ClientHooks,
  request: InitRequest,
): string | undefined {
  const { mark, body } = splitMark(before ?? "");
  const cleared = withoutHooks(body);
  const command = hookCommand(request, hooks).map(quoteWord).join(" ");
  const after = request.undo ? cleared : withHooks(cleared, hooks, command);
  if (isDeepStrictEqual(readJson(body), readJson(after))) return before;
  const isBare = isDeepStrictEqual({ ...hooks.base, ...fieldsOf(readJson(after)) }, hooks.base ?? {});
  return isBare && request.undo ? undefined : mark + after;
}

function programAfter(
  before: string | undefined,
  program: NonNullable<ClientHooks["program"]>,
  hooks: ClientHooks,
  request: InitRequest,
): string | undefined {
  const isForeign = before !== undefined && !before.startsWith(WRITTEN_BY_PITH);
  if (request.undo) return isForeign ? before : undefined;
  if (isForeign) throw new FileProblem(1, "the file is not one that Pith wrote; move it first");
  return program(hookCommand(request, hooks));
}

function withHooks(text: string, { base = {}, entries }: ClientHooks, command: string): string {
  let rest = text.trim() === "" ? "{}" : text;
  for (const [name, value] of Object.entries(base))
    if (fieldsOf(readJson(rest))[name] === undefined) rest = edited(rest, [name], value);
  for (const [event, entry] of Object.entries(entries?.(command) ?? {})) {
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
  const isBare = rest !== text && isEmptyObject(fieldsOf(readJson(rest))["hooks"]);
  return isBare ? edited(rest, ["hooks"], undefined) : rest;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

function isOurs(entry: unknown): boolean {
  const { hooks } = fieldsOf(entry);
  const [only, ...more] = Array.isArray(hooks) ? hooks : [entry];
  const { command } = fieldsOf(only);
  return more.length === 0 && typeof command === "string" && OUR_COMMAND.test(command);
}

/** Matches the command of a hook of Pith, however it is started. */
const OUR_COMMAND = /\bpith(?:\.js)?['"]? hook(?: [\w-]+)?(?: \|\| true)?$/;

/** Returns the words that run the hook: the command of the server with another verb. */
function hookCommand(request: InitRequest, { dialect }: ClientHooks): readonly string[] {
  const { command, args } = request.server(request.scope);
  return [
    command,
    ...args.filter((word) => word !== "serve"),
    "hook",
    ...(dialect === undefined ? [] : [dialect]),
  ];
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
