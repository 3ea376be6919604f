import { expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import type { LogSlice } from "../../../src/model/run-report.ts";
import { renderLog } from "../../../src/render/log/log.ts";

function slice(part: Partial<LogSlice> = {}): LogSlice {
  const lines = Array.from({ length: 50 }, (_, i) => ({
    number: i + 1,
    stream: "stdout" as const,
    text: `line ${i + 1}`,
  }));
  return {
    run: {
      id: "r123456",
      workspace: "/w",
      command: "make",
      cwd: "/w",
      startedAt: 0,
      endedAt: 1,
      end: { cause: "exit", exitCode: 0 },
      log: { lines: 132, stdoutLines: 120, stderrLines: 12, bytes: 1_000 },
    },
    stream: "both",
    lines,
    startLine: 1,
    endLine: 50,
    totalLines: 132,
    hasMore: true,
    ...part,
  };
}

function render(data: LogSlice, format: "text" | "json" | "markdown", tokens = 2_000): string {
  return renderLog(data, { format, budget: new Budget(tokens) }).text;
}

it("fills a small budget with lines of the log", () => {
  const text = render(slice(), "text", 100);
  const shown = text.split("\n").length - 2;
  expect(shown).toBeGreaterThan(12);
  expect(text).toMatch(new RegExp(`^run r123456, exit 0, lines 1-${shown} of 132\\n`));
  expect(text).toMatch(new RegExp(`more: startLine=${shown + 1}$`));
  const json = JSON.parse(render(slice(), "json", 100)) as { lines: string[]; endLine: number };
  expect(json.lines.length).toBeGreaterThan(8);
  expect(json.endLine).toBe(json.lines.length);
});

it("keeps the last lines of the end of a log, and names the call for those before them", () => {
  const end = { totalLines: 50, hasMore: false, isTail: true };
  const text = render(slice(end), "text", 100);
  const first = Number(/, lines (\d+)-50 of 50\n/.exec(text)?.[1]);
  expect(first).toBeGreaterThan(20);
  expect(text).toContain(`\nline ${first}\n`);
  expect(text).toMatch(new RegExp(`\nline 50\nbefore: startLine=1 endLine=${first - 1}$`));
  expect(render(slice(end), "text")).toMatch(/, lines 1-50 of 50\nline 1\n[^]*\nline 50$/);
  const long = [{ number: 50, stream: "stdout" as const, text: "long ".repeat(500) }];
  const all = [{ number: 49, stream: "stdout" as const, text: "line 49" }, ...long];
  expect(render(slice({ ...end, startLine: 49, lines: all }), "text", 100)).toMatch(
    /, lines 50-50 of 50\nlong [^]*more: startLine=50 column=\d+/,
  );
});

it("names the line from which it searched", () => {
  const none = { lines: [], hasMore: false, grep: "x", matches: 0, endLine: 132 };
  expect(render(slice({ ...none, startLine: 100 }), "text")).toBe(
    "run r123456, exit 0, 0 of 0 matching lines from 100 on of 132",
  );
  expect(render(slice({ ...none, startLine: 500 }), "text")).toBe(
    "run r123456, exit 0, no line from 500 on of 132",
  );
  const stderr = { stream: "stderr" as const, totalLines: 12, endLine: 12 };
  expect(render(slice({ ...none, ...stderr }), "text")).toBe(
    "run r123456, exit 0, 0 of 0 matching stderr lines of 12",
  );
});
