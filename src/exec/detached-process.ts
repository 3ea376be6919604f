import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { HAS_GROUPS } from "./process-group.ts";

/** A process of ours that lives on when this one ends. */
export interface DetachedProcess {
  /** Resolves when it has ended, or before that when it has something to say, with what it said. */
  readonly reported: Promise<string>;
  /** Tells it to look at once whether it shall stop. */
  stop(): void;
}

/** One that was started ahead of time and waits for its input. */
export interface WaitingProcess {
  readonly isAlive: boolean;
  begin(input: string): DetachedProcess;
  /** It is not needed: without input it ends by itself. */
  dismiss(): void;
}

/** Starts a script of ours in a process of its own session. It waits for its input, and ends with us until it has it. */
export function prepareDetached(script: string, cwd: string): WaitingProcess {
  const child = spawn(process.execPath, [script], {
    cwd,
    detached: true,
    windowsHide: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const reported = firstLine(child);
  // It may die before it has read all: then its exit says so.
  child.stdin.on("error", () => child.stdin.destroy());
  letGo(child);
  return {
    get isAlive() {
      return child.exitCode === null && child.signalCode === null && child.pid !== undefined;
    },
    begin(input) {
      child.stdin.end(input);
      // Where there are no signals this would be its end, and its tree would be left: there it finds out by itself.
      return { reported, stop: () => void (HAS_GROUPS && child.kill("SIGTERM")) };
    },
    dismiss: () => void child.stdin.end(),
  };
}

/** Its first line; empty for one that ended without a word, or in the middle of one. */
async function firstLine(child: ChildProcess): Promise<string> {
  const chunks: Buffer[] = [];
  const said = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunk.includes(10)) resolve();
    });
  });
  await Promise.race([said, once(child, "close"), once(child, "error")]).catch(() => undefined);
  const text = Buffer.concat(chunks).toString("utf8");
  return text.slice(0, text.indexOf("\n") + 1);
}

/** Neither it nor the pipes to it keep this process running. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of [child.stdin, child.stdout])
    if (pipe !== null && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
}
