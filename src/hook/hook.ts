import { fieldsOf, type HookEvent, type HookReply, textOf } from "./events.ts";

/** Output of this many characters, about 2,000 tokens, is replaced; shorter output costs an agent less than a second look. */
const MIN_LONG_OUTPUT = 8_000;
/** An outline is added to the text of files of at least this many lines. */
const MIN_LONG_FILE = 500;
/** Upper bound on the input; a client's own tools return less. */
const MAX_INPUT = 64 * 1024 * 1024;
/** A hook that takes longer is given up; the client then shows the tool's own result. */
const TIME_LIMIT_MS = 8_000;

/**
 * Runs after a tool of a client. Whatever goes wrong, it prints nothing and exits with 0, so that the tool's own result
 * reaches the agent. The code that does the work is loaded only if there is work, because a hook runs after every call.
 */
export async function runHook(): Promise<number> {
  try {
    const event: HookEvent = fieldsOf(JSON.parse(await readInput()));
    const reply = await Promise.race([answer(event), timeLimit()]);
    if (reply !== undefined) {
      const hookSpecificOutput = { hookEventName: event.hook_event_name, ...reply };
      process.stdout.write(`${JSON.stringify({ hookSpecificOutput })}\n`);
    }
  } catch (error) {
    // The tool's own result arrives without Pith; the reason is for a person who looks into the client's log.
    process.stderr.write(`pith hook: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return 0;
}

async function answer(event: HookEvent): Promise<HookReply | undefined> {
  if (event.hook_event_name !== "PostToolUse") return undefined;
  const response = fieldsOf(event.tool_response);
  if (event.tool_name === "Bash") {
    const length = textOf(response["stdout"]).length + textOf(response["stderr"]).length;
    if (length < MIN_LONG_OUTPUT) return undefined;
    return (await import("./long-output.ts")).replaceLongOutput(event);
  }
  if (event.tool_name === "Read") {
    const { totalLines, startLine } = fieldsOf(response["file"]);
    // A read from the middle comes from an agent that already knows where to look.
    if (typeof totalLines !== "number" || totalLines < MIN_LONG_FILE || startLine !== 1) return undefined;
    return (await import("./outline-note.ts")).noteOutline(event);
  }
  return undefined;
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_INPUT) throw new Error("the input is too large");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function timeLimit(): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(() => resolve(undefined), TIME_LIMIT_MS).unref());
}
