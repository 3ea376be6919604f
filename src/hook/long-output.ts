import { callTool } from "../app/pipeline.ts";
import { observedRunTool } from "../app/tools/observed-run.ts";
import { readPlainLine } from "../runs/reuse/plain-line.ts";
import { fieldsOf, type HookEvent, type HookReply, textOf } from "./events.ts";
import { withServices } from "./hook-services.ts";

/** A replacement that is not this much shorter than the output is not worth a second look at the log. */
const MAX_SHARE = 0.7;

/**
 * Stores the output of a command that the client's own shell ran, and returns Pith's reply about it in place of the
 * output. Undefined if the output is to stay as it is.
 */
export async function replaceLongOutput(event: HookEvent): Promise<HookReply | undefined> {
  const response = fieldsOf(event.tool_response);
  const command = textOf(fieldsOf(event.tool_input)["command"]);
  if (!isWholeResult(response) || !hasOneVerdict(command)) return undefined;
  const stdout = textOf(response["stdout"]);
  const stderr = textOf(response["stderr"]);
  const cwd = textOf(event.cwd);
  const text = await withServices(cwd, async (services, reader) => {
    const signal = new AbortController().signal;
    const args = { command, cwd, stdout, stderr };
    const reply = await callTool(observedRunTool, args, services, {
      signal,
      reader,
      progress: () => undefined,
    });
    return reply.isError ? undefined : reply.text;
  });
  if (text === undefined || text.length > (stdout.length + stderr.length) * MAX_SHARE) return undefined;
  return { updatedToolOutput: { ...response, stdout: text, stderr: "" } };
}

/** True if the response holds all that the command printed: no image, no interruption, nothing in a file or background. */
function isWholeResult(response: Readonly<Record<string, unknown>>): boolean {
  return ["interrupted", "isImage", "backgroundTaskId", "persistedOutputPath", "rawOutputPath"].every(
    (name) => response[name] === undefined || response[name] === false,
  );
}

/**
 * True if the exit code 0, which a client's hook implies, is that of every command in the line. Behind a pipe or `;` a
 * failure may hide, and a reply about it could call it a pass.
 */
function hasOneVerdict(command: string): boolean {
  const commands = readPlainLine(command);
  return commands?.every(({ join }) => join === "first" || join === "and") === true;
}
