import { expect, it } from "vitest";
import type { RunEnd } from "../../../src/model/run.ts";
import { endOf } from "../../../src/render/run/run-head.ts";
import { mergedEnd } from "../../../src/runs/record/merge-parts.ts";
import type { StoredRun } from "../../../src/runs/record/store.ts";

function part(id: string, end: RunEnd): StoredRun {
  return {
    id,
    end,
    workspace: "/w",
    cwd: "/w",
    command: "npm test",
    key: "k",
    startedAt: 0,
    owner: { pid: 0, identity: "pool" },
    log: { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 },
  };
}

it("names a part that was stopped, and writes the reason as a part of a sentence", () => {
  const end = mergedEnd([
    part("r1", { cause: "exit", exitCode: 0, worker: "w1" }),
    part("r2", { cause: "resource_limit", detail: "It used 400 MB; the worker allows 300.", worker: "w2" }),
  ]);
  expect(endOf({ end, startedAt: 0 })).toBe(
    "stopped: Part 2 of 2 (run r2) has no result: It used 400 MB; the worker allows 300. The parts are runs r1 on w1, r2 on w2",
  );
});

it("names what the parts waited for", () => {
  const waits = { worker: "w1", queuedMs: 3_000, earlier: { attempt: 2, ms: 30_000 } };
  const parts = [
    part("r1", { cause: "exit", exitCode: 0, worker: "w1", queuedMs: 900 }),
    part("r2", { cause: "exit", exitCode: 0, ...waits }),
  ];
  expect(mergedEnd(parts)).toEqual({
    cause: "exit",
    exitCode: 0,
    detail: "Split into 2 parts: runs r1 on w1, r2 on w1 (queued 3 s, attempt 2 after 30 s).",
  });
});
