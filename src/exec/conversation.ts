import { spawn } from "node:child_process";
import { PithError } from "../kernel/errors.ts";
import { HAS_GROUPS, signalGroup } from "./process-group.ts";

/** A child process that exchanges lines with this one, such as another MCP server. */
export interface Conversation {
  send(line: string): void;
  /** Waits for the next line of stdout that `accept` approves. Fails when the child ends or the timeout expires. */
  receive(accept: (line: string) => boolean): Promise<string>;
  /** Kills the child and all processes that it started. */
  end(): void;
}

export interface ConversationOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** Starts a program for a conversation by lines. Error messages quote the beginning of its stderr. */
export function startConversation(
  argv: readonly [string, ...string[]],
  options: ConversationOptions,
): Conversation {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: options.env,
    detached: HAS_GROUPS,
    windowsHide: true,
    stdio: "pipe",
  });
  const inbox = createInbox();
  let complaints = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (complaints.length < 2_000) complaints += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => inbox.write(text));
  child.stdin.on("error", () => child.stdin.destroy());
  const fail = (why: string): void => {
    const said = complaints.trim() === "" ? "" : `: ${complaints.trim().slice(0, 500)}`;
    inbox.fail(new PithError("spawn_failed", `${program} ${why}${said}`));
  };
  child.on("error", (error) => fail(`could not be started (${error.message})`));
  child.on("close", (code) => fail(`ended with ${code ?? "a signal"}`));
  const end = (): void => {
    clearTimeout(timer);
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  };
  const timer = setTimeout(() => {
    fail(`did not answer within ${options.timeoutMs} ms`);
    end();
  }, options.timeoutMs);
  return {
    send: (line) => void child.stdin.write(`${line}\n`),
    receive: (accept) => inbox.next(accept),
    end,
  };
}

/** Buffers the lines that a child process prints until they are requested. */
function createInbox(): {
  write(text: string): void;
  next(accept: (line: string) => boolean): Promise<string>;
  fail(error: Error): void;
} {
  const lines: string[] = [];
  let partial = "";
  let failure: Error | undefined;
  let wake: (() => void) | undefined;
  return {
    write(text) {
      const parts = (partial + text).split("\n");
      partial = parts.pop() ?? "";
      lines.push(...parts);
      wake?.();
    },
    async next(accept) {
      for (;;) {
        const index = lines.findIndex((line) => accept(line));
        const [line] = index === -1 ? [] : lines.splice(0, index + 1).slice(-1);
        if (line !== undefined) return line;
        if (failure !== undefined) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    fail(error) {
      failure ??= error;
      wake?.();
    },
  };
}
