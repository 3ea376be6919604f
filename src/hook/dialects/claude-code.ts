import { fieldsOf, type Dialect, type Fields, type HookReply, type HookWork, textOf } from "../work.ts";
import { editedFiles, type ToolEdit } from "../undo-edits.ts";

/** Claude Code: PostToolUse after Bash and Read, PostToolBatch after all calls of a turn, and SessionStart. */
export const claudeCode: Dialect = {
  read(message) {
    const cwd = textOf(message["cwd"]);
    switch (message["hook_event_name"]) {
      case "PostToolUse":
        return message["tool_name"] === "Bash" ? shellWork(message, cwd) : readWork(message, cwd);
      case "PostToolBatch":
        return editWork(message["tool_calls"], cwd);
      case "SessionStart":
        return { kind: "start", cwd };
      default:
        return undefined;
    }
  },
  write(reply, message) {
    if ("note" in reply) return noteOf(reply, message);
    const response = fieldsOf(message["tool_response"]);
    const updatedToolOutput = { ...response, stdout: reply.replacement, stderr: "" };
    return { hookSpecificOutput: { hookEventName: message["hook_event_name"], updatedToolOutput } };
  },
};

/** Returns a note in the form that Codex and Gemini CLI have taken over; they take no replacement of an output. */
export function noteOf(reply: HookReply, message: Fields): object {
  const hookEventName = message["hook_event_name"];
  return "note" in reply ? { hookSpecificOutput: { hookEventName, additionalContext: reply.note } } : {};
}

function shellWork(message: Fields, cwd: string): HookWork | undefined {
  const response = fieldsOf(message["tool_response"]);
  if (!isWholeResult(response)) return undefined;
  const command = textOf(fieldsOf(message["tool_input"])["command"]);
  return {
    kind: "shell",
    cwd,
    command,
    stdout: textOf(response["stdout"]),
    stderr: textOf(response["stderr"]),
  };
}

/** True if the response holds all that the command printed: no image, no interruption, nothing in a file or background. */
function isWholeResult(response: Fields): boolean {
  return ["interrupted", "isImage", "backgroundTaskId", "persistedOutputPath", "rawOutputPath"].every(
    (name) => response[name] === undefined || response[name] === false,
  );
}

function readWork(message: Fields, cwd: string): HookWork | undefined {
  const { totalLines, startLine } = fieldsOf(fieldsOf(message["tool_response"])["file"]);
  // A read from the middle comes from an agent that already knows where to look.
  if (message["tool_name"] !== "Read" || typeof totalLines !== "number" || startLine !== 1) return undefined;
  return { kind: "read", cwd, path: textOf(fieldsOf(message["tool_input"])["file_path"]), totalLines };
}

function editWork(calls: unknown, cwd: string): HookWork | undefined {
  const edits = Array.isArray(calls) ? calls.flatMap((call) => editsOf(fieldsOf(call))) : [];
  return edits.length === 0 ? undefined : { kind: "edits", cwd, files: editedFiles(edits, cwd) };
}

/** Returns the edits of a successful call of Edit, MultiEdit or Write. */
function editsOf({ tool_name, tool_input, tool_response }: Fields): readonly ToolEdit[] {
  const input = fieldsOf(tool_input);
  const path = textOf(input["file_path"]);
  if (path === "" || !tellsSuccess(textOf(tool_response))) return [];
  if (tool_name === "Write") return [{ path }];
  if (tool_name === "Edit") return [editOf(path, input)];
  if (tool_name !== "MultiEdit" || !Array.isArray(input["edits"])) return [];
  return input["edits"].map((edit) => editOf(path, fieldsOf(edit)));
}

/** A call that a permission or somebody's guard refused has a text too, which may say anything; that of an edit says what it did. */
function tellsSuccess(text: string): boolean {
  const isRefused = /<tool_use_error>|^(?:Error|Permission|PreToolUse)\b/.test(text);
  return !isRefused && /\b(?:updated|created|applied|replaced|written|overwritten)\b/i.test(text);
}

function editOf(path: string, { old_string, new_string, replace_all }: Fields): ToolEdit {
  return { path, exchange: { old: textOf(old_string), now: textOf(new_string), all: replace_all === true } };
}
