import { callTool } from "../app/pipeline.ts";
import { observedRunTool } from "../app/tools/observed-run.ts";
import { readPlainLine } from "../runs/reuse/plain-line.ts";
import { withServices } from "./hook-services.ts";
import type { HookReply, ShellWork } from "./work.ts";

/** A replacement that is not this much shorter than the output is not worth a second look at the log. */
const MAX_SHARE = 0.7;

/**
 * Stores the output of a command that the client's own shell ran, and returns Pith's reply about it in place of the
 * output. Undefined if the output is to stay as it is.
 */
export async function replaceLongOutput(work: ShellWork): Promise<HookReply | undefined> {
  const { cwd, command, stdout, stderr } = work;
  if (!hasOneVerdict(command)) return undefined;
  const text = await withServices(cwd, async (services, reader) => {
    const signal = new AbortController().signal;
    const reply = await callTool(observedRunTool, { command, cwd, stdout, stderr }, services, {
      signal,
      reader,
      progress: () => undefined,
    });
    return reply.isError ? undefined : reply.text;
  });
  if (text === undefined || text.length > (stdout.length + stderr.length) * MAX_SHARE) return undefined;
  return { replacement: text };
}

/**
 * True if the exit code 0, which a client's hook implies, is that of every command in the line. Behind a pipe or `;` a
 * failure may hide, and a reply about it could call it a pass.
 */
function hasOneVerdict(command: string): boolean {
  const commands = readPlainLine(command);
  return commands?.every(({ join }) => join === "first" || join === "and") === true;
}
