import { claudeCode } from "./dialects/claude-code.ts";
import { codex } from "./dialects/codex.ts";
import { cursor } from "./dialects/cursor.ts";
import { gemini } from "./dialects/gemini.ts";
import { opencode } from "./dialects/opencode.ts";
import { readAll } from "./read-all.ts";
import { type Dialect, fieldsOf, type HookReply, type HookWork } from "./work.ts";

/** Output of this many characters, about 2,000 tokens, is replaced; shorter output costs an agent less than a second look. */
const MIN_LONG_OUTPUT = 8_000;
/** An outline is added to the text of files of at least this many lines. */
const MIN_LONG_FILE = 500;
/** A hook that takes longer is given up; the client then shows the tool's own result. */
const TIME_LIMIT_MS = 8_000;

/** The clients whose hooks run `pith hook NAME`. */
const DIALECTS: Readonly<Record<string, Dialect>> = {
  "claude-code": claudeCode,
  codex,
  cursor,
  gemini,
  opencode,
};

/**
 * Runs after a tool of a client. Whatever goes wrong, it prints nothing and exits with 0, so that the tool's own result
 * reaches the agent. The code that does the work is loaded only if there is work, because a hook runs after every call.
 */
export async function runHook([, client = "claude-code"]: readonly string[]): Promise<number> {
  try {
    const dialect = DIALECTS[client];
    if (dialect === undefined) throw new Error(`no hooks for a client named ${client}`);
    const message = fieldsOf(JSON.parse(await readAll(process.stdin)));
    const work = dialect.read(message);
    const reply = work === undefined ? undefined : await Promise.race([answer(work), timeLimit()]);
    if (reply !== undefined) process.stdout.write(`${JSON.stringify(dialect.write(reply, message))}\n`);
  } catch (error) {
    // The tool's own result arrives without Pith; the reason is for a person who looks into the client's log.
    process.stderr.write(`pith hook: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return 0;
}

async function answer(work: HookWork): Promise<HookReply | undefined> {
  if (work.kind === "shell") {
    if (work.stdout.length + work.stderr.length < MIN_LONG_OUTPUT) return undefined;
    return (await import("./long-output.ts")).replaceLongOutput(work);
  }
  if (work.kind === "read") {
    if (work.totalLines < MIN_LONG_FILE) return undefined;
    return (await import("./outline-note.ts")).noteOutline(work);
  }
  if (work.kind === "edits") return (await import("./edit-note.ts")).noteEdits(work);
  return (await import("./start-note.ts")).noteBrokenIndex(work);
}

async function timeLimit(): Promise<undefined> {
  return new Promise((resolve) => void setTimeout(() => resolve(undefined), TIME_LIMIT_MS).unref());
}
