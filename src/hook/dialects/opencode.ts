import { editsInPatch } from "../patch-edits.ts";
import { editedFiles, type ToolEdit } from "../undo-edits.ts";
import { type Dialect, type Fields, fieldsOf, type HookWork, textOf } from "../work.ts";
import { readWork } from "./gemini.ts";

/** OpenCode: the plugin that `pith init opencode --with-hooks` writes passes on what its tools did. */
export const opencode: Dialect = {
  read(message) {
    const cwd = textOf(message["cwd"]);
    const args = fieldsOf(message["args"]);
    const path = textOf(args["filePath"]);
    if (message["tool"] === "bash") return shellWork(message, args, cwd);
    if (message["tool"] === "read")
      return typeof args["offset"] === "number" ? undefined : readWork(path, cwd);
    const edits = editsOf(message["tool"], path, args);
    return edits.length === 0 ? undefined : { kind: "edits", cwd, files: editedFiles(edits, cwd) };
  },
  write: (reply) => reply,
};

function shellWork({ output, metadata }: Fields, args: Fields, cwd: string): HookWork | undefined {
  const { exit, truncated } = fieldsOf(metadata);
  if (exit !== 0 || truncated === true || typeof args["workdir"] === "string") return undefined;
  return { kind: "shell", cwd, command: textOf(args["command"]), stdout: textOf(output), stderr: "" };
}

function editsOf(tool: unknown, path: string, args: Fields): readonly ToolEdit[] {
  if (tool === "write") return [{ path }];
  if (tool === "apply_patch" || tool === "patch") return editsInPatch(textOf(args["patchText"]));
  if (tool !== "edit") return [];
  const all = args["replaceAll"] === true;
  return [{ path, exchange: { old: textOf(args["oldString"]), now: textOf(args["newString"]), all } }];
}
