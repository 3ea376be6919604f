import { setTimeout as delay } from "node:timers/promises";
import type { Trial } from "./attack.ts";
import type { KnownCommand } from "./commands.ts";
import { asRecord, parseJson } from "./judge.ts";
import type { Asked } from "./oracle.ts";

const PAGE = 500;

/** Returns all lines of one stream of a run's log, or undefined if the server does not return it. */
export async function readLog(
  asked: Asked,
  runId: string,
  stream: "stdout" | "stderr",
): Promise<readonly string[] | { readonly error: string }> {
  const lines: string[] = [];
  for (let startLine = 1; ;) {
    const reply = await asked.call("build", {
      action: "log",
      runId,
      stream,
      startLine,
      lineCount: PAGE,
      max_tokens: 9_000,
      response_format: "json",
    });
    if (reply.error !== undefined) return { error: reply.error };
    const data = asRecord(parseJson(reply.text)) ?? {};
    const page = Array.isArray(data["lines"]) ? data["lines"].map(String) : [];
    lines.push(...page);
    if (data["hasMore"] !== true || page.length === 0) return lines;
    startLine = Number(data["endLine"]) + 1;
  }
}

/** Checks that a run's log contains the command's whole output, or its beginning if the run was interrupted. */
export async function checkLog(
  trial: Trial,
  asked: Asked,
  run: {
    readonly id: string;
    readonly known: KnownCommand;
    readonly whole: boolean;
    readonly atLeast?: number;
  },
): Promise<void> {
  for (const stream of ["stdout", "stderr"] as const) {
    const got = await readLog(asked, run.id, stream);
    const wanted = run.known[stream];
    if ("error" in got) {
      if (got.error !== "gone") trial.found("lost", `the log of run ${run.id} cannot be read: ${got.error}`);
      return;
    }
    const wrong = got.findIndex(
      (line, i) => line !== wanted[i] && !isCutTail(line, i, got.length, wanted[i]),
    );
    if (wrong >= 0)
      trial.found(
        "lost",
        `${stream} line ${wrong + 1} of ${run.id} is ${got[wrong]} instead of ${wanted[wrong]}`,
      );
    else if (run.whole && got.length !== wanted.length)
      trial.found("lost", `${stream} of ${run.id} has ${got.length} of ${wanted.length} lines`);
    else if (stream === "stdout" && got.length < (run.atLeast ?? 0))
      trial.found("lost", `${stream} of ${run.id} had ${run.atLeast} lines, and has ${got.length}`);
  }
  trial.tried("logs compared");
}

/** Accepts a partial last line of a command that was killed. */
function isCutTail(line: string, i: number, length: number, wanted: string | undefined): boolean {
  return i === length - 1 && wanted !== undefined && wanted.startsWith(line);
}

/** Returns the state of a run as reported by `build log` once it has ended, or undefined if that takes too long. */
export async function waitForEnd(
  asked: Asked,
  runId: string,
  patienceMs = 60_000,
): Promise<string | undefined> {
  for (const until = Date.now() + patienceMs; Date.now() < until; await delay(50)) {
    const reply = await asked.call("build", {
      action: "log",
      runId,
      wait_ms: 2_000,
      response_format: "json",
    });
    if (reply.error !== undefined) return reply.error;
    if (reply.meta["status"] !== "running") return String(reply.meta["cause"]);
  }
  return undefined;
}
