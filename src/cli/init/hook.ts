import { PithError } from "../../kernel/errors.ts";
import { quoteWord } from "../../runs/plan.ts";
import { type Client, fieldsOf, type Places, type Scope, type ShellHook } from "./client.ts";
import { readJson, removeJsonEntry, setJsonEntry } from "./json-edit.ts";
import { type Change, type FileView, namingFile, splitMark } from "./plan.ts";

/** The program that a client runs its shell commands with, and what it starts. */
export interface Wrapper {
  readonly file: string;
  readonly node: string;
  readonly pith: string;
}

export interface HookRequest {
  readonly clients: readonly Client[];
  readonly scope: Scope;
  readonly places: Places;
  readonly undo: boolean;
  readonly wrapper: Wrapper;
}

/**
 * Works out what changes for the hook: the client's setting, and the program it names. The program stays when the setting
 * goes: other projects may name it too.
 */
export function planHooks({ clients, wrapper, undo, ...at }: HookRequest, view: FileView): readonly Change[] {
  return clients.flatMap((one) => {
    const { shellHook: hook } = one;
    if (hook === undefined) return [];
    const client = { ...one, title: `${one.title}'s shell`, next: "Sessions that start from now on use it." };
    if (at.places.platform === "win32" && !undo)
      throw new PithError("invalid_input", "init: --with-hooks needs a POSIX shell");
    const file = hook.file(at.scope, at.places);
    const setting = namingFile(file, () =>
      planSetting(client, hook, { file, program: wrapper.file, undo }, view),
    );
    if (undo) return setting.state === "unchanged" ? [] : [setting];
    return [planProgram(client, wrapper, view), setting];
  });
}

function planSetting(
  client: Client,
  { path }: ShellHook,
  { file, program, undo }: { readonly file: string; readonly program: string; readonly undo: boolean },
  view: FileView,
): Change {
  const before = view.read(file);
  const { mark, body } = splitMark(before ?? "");
  const [group, name] = path;
  const variables = fieldsOf(readJson(body))[group];
  const current = fieldsOf(variables)[name];
  if (undo) {
    // A program of somebody else's is not ours to take out.
    const after = current === program ? removeJsonEntry(body, path) : body;
    if (after === body || before === undefined)
      return { client, file, before, after: before, state: "unchanged" };
    return { client, file, before, after: after === undefined ? undefined : mark + after, state: "removed" };
  }
  if (variables !== undefined && (typeof variables !== "object" || variables === null))
    throw refusal(`${file}: ${group} is not an object`, "Correct the file");
  if (current !== undefined && current !== program)
    throw refusal(
      `${file}: ${path.join(".")} is set to ${JSON.stringify(current)}`,
      "Take that one out first",
    );
  if (current === program) return { client, file, before, after: before, state: "unchanged" };
  return {
    client,
    file,
    before,
    after: mark + setJsonEntry(body, [group], { [name]: program }),
    state: "added",
  };
}

function refusal(message: string, remedy: string): PithError {
  return new PithError("config_invalid", message, { suggestion: `${remedy}; nothing was written.` });
}

function planProgram(client: Client, wrapper: Wrapper, view: FileView): Change {
  const { file } = wrapper;
  const before = view.read(file);
  const after = programText(wrapper);
  const state = before === undefined ? "added" : before === after ? "unchanged" : "updated";
  return { client, file, before, after, state, executable: true };
}

/** Where Pith is gone or switched off, commands run as they would without it. */
function programText({ node, pith }: Wrapper): string {
  return [
    "#!/bin/sh",
    "# Runs a script through Pith; set up by pith init --with-hooks, taken out by pith init --undo.",
    `node=${quoteWord(node)}`,
    `pith=${quoteWord(pith)}`,
    '[ -x "$node" ] || node=$(command -v node)',
    'if [ "$PITH_ENABLED" != false ] && [ -f "$pith" ] && [ -n "$node" ]; then exec "$node" "$pith" shell -- "$1"; fi',
    'case $1 in */snapshot-zsh-*) exec zsh -c "$1" ;; *) exec bash -c "$1" ;; esac',
    "",
  ].join("\n");
}
