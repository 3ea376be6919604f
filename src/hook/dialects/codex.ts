import { editsInPatch } from "../patch-edits.ts";
import { editedFiles } from "../undo-edits.ts";
import { type Dialect, fieldsOf, textOf } from "../work.ts";
import { noteOf } from "./claude-code.ts";

/**
 * Codex: PostToolUse after apply_patch, and SessionStart. The output of its commands stays as it is: a hook is not told
 * how a command ended, and gets its output cut.
 */
export const codex: Dialect = {
  read({ cwd, hook_event_name: event, tool_name, tool_input }) {
    if (event === "SessionStart") return { kind: "start", cwd: textOf(cwd) };
    // A model without the tool calls a program of the same name in its shell, which Codex runs as the tool.
    if (event !== "PostToolUse" || (tool_name !== "apply_patch" && tool_name !== "Bash")) return undefined;
    const edits = editsInPatch(textOf(fieldsOf(tool_input)["command"]));
    return edits.length === 0
      ? undefined
      : { kind: "edits", cwd: textOf(cwd), files: editedFiles(edits, textOf(cwd)) };
  },
  write: noteOf,
};
