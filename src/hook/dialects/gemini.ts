import { readSmallText } from "../../kernel/files/small-file.ts";
import { editedFiles } from "../undo-edits.ts";
import { type Dialect, type Fields, fieldsOf, type HookWork, textOf } from "../work.ts";
import { noteOf } from "./claude-code.ts";

/**
 * Gemini CLI: AfterTool after replace, write_file and read_file, and SessionStart. The output of its commands stays as
 * it is: Gemini CLI shows what a hook puts in its place as an error.
 */
export const gemini: Dialect = {
  read(message) {
    const cwd = textOf(message["cwd"]);
    if (message["hook_event_name"] === "SessionStart") return { kind: "start", cwd };
    const input = fieldsOf(message["tool_input"]);
    const path = textOf(input["file_path"]);
    const { error } = fieldsOf(message["tool_response"]);
    if (message["hook_event_name"] !== "AfterTool" || path === "" || (error !== undefined && error !== null))
      return undefined;
    switch (message["tool_name"]) {
      case "replace":
        return { kind: "edits", cwd, files: editedFiles([{ path, exchange: exchangeOf(input) }], cwd) };
      case "write_file":
        return { kind: "edits", cwd, files: editedFiles([{ path }], cwd) };
      case "read_file":
        return isWholeRead(input) ? readWork(path, cwd) : undefined;
      default:
        return undefined;
    }
  },
  write: noteOf,
};

function exchangeOf({ old_string, new_string, allow_multiple }: Fields) {
  return { old: textOf(old_string), now: textOf(new_string), all: allow_multiple === true };
}

/** A read from the middle comes from an agent that already knows where to look. */
function isWholeRead(input: Fields): boolean {
  return [input["start_line"], input["offset"]].every((start) => typeof start !== "number" || start <= 1);
}

/** Counts the lines of a file that was read, because the client does not tell them. */
export function readWork(path: string, cwd: string): HookWork {
  return { kind: "read", cwd, path, totalLines: readSmallText(path)?.split("\n").length ?? 0 };
}
