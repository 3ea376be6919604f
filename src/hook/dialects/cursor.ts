import { readSmallText } from "../../kernel/files/small-file.ts";
import { editedFiles } from "../undo-edits.ts";
import { type Dialect, type Fields, fieldsOf, type HookWork, textOf } from "../work.ts";

/**
 * Cursor: postToolUse after Write, which every edit is, and Read, and sessionStart. The output of its commands stays as
 * it is: Cursor takes a replacement only for the tools of MCP servers.
 */
export const cursor: Dialect = {
  read(message) {
    const cwd = rootOf(message);
    if (message["hook_event_name"] === "sessionStart") return { kind: "start", cwd };
    const path = textOf(fieldsOf(message["tool_input"])["file_path"]);
    if (message["hook_event_name"] !== "postToolUse" || path === "") return undefined;
    // Cursor tells the new text alone, so what was there before is the committed one.
    if (message["tool_name"] === "Write") return { kind: "edits", cwd, files: editedFiles([{ path }], cwd) };
    return message["tool_name"] === "Read" ? readWork(path, cwd, message) : undefined;
  },
  write: (reply) => ("note" in reply ? { additional_context: reply.note } : {}),
};

/** A hook of the user runs in the folder of Cursor's settings, so the message says where the work is. */
function rootOf({ workspace_roots: roots }: Fields): string {
  return textOf(Array.isArray(roots) ? roots[0] : undefined);
}

/**
 * Cursor tells how many characters an agent was given, and not from where: fewer than the file has come from an agent
 * that already knows where to look.
 */
function readWork(path: string, cwd: string, { tool_output }: Fields): HookWork | undefined {
  const { content_length } = fieldsOf(JSON.parse(textOf(tool_output)));
  const text = readSmallText(path);
  if (text === undefined || typeof content_length !== "number" || content_length < text.length)
    return undefined;
  return { kind: "read", cwd, path, totalLines: text.split("\n").length };
}
