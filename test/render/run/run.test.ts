import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import type { LogSlice, RunReport } from "../../../src/model/run-report.ts";
import type { Excerpt, LogLine } from "../../../src/model/run.ts";
import { cutExcerpt } from "../../../src/render/run/excerpt.ts";
import { renderLog } from "../../../src/render/log/log.ts";
import { makeFolder } from "../../support/folder.ts";
import { makeRunService, runIn, shown } from "../../support/run-service.ts";

const FORMATS = ["text", "json", "markdown"] as const;

function lines(from: number, to: number): LogLine[] {
  return Array.from({ length: to - from + 1 }, (_, i) => ({
    number: from + i,
    stream: "stdout",
    text: `some line of output ${from + i}`,
  }));
}

describe("cutExcerpt", () => {
  const write = (line: LogLine): string => line.text;
  const excerpt: Excerpt = { total: 1_000, first: lines(1, 200), last: lines(801, 1_000) };

  it("shows a fifth from the beginning and the rest from the end", () => {
    const { head, tail, gap } = cutExcerpt(excerpt, { tokens: 700, write });
    expect(head.length / (head.length + tail.length)).toBeGreaterThan(0.15);
    expect(head.length / (head.length + tail.length)).toBeLessThan(0.25);
    expect([head[0]?.number, tail.at(-1)?.number]).toEqual([1, 1_000]);
    expect(gap).toEqual({
      from: (head.at(-1)?.number ?? 0) + 1,
      to: (tail[0]?.number ?? 0) - 1,
      lines: 1_000 - head.length - tail.length,
    });
  });

  it("shows everything that fits", () => {
    expect(cutExcerpt({ total: 5, first: lines(1, 5), last: [] }, { tokens: 1_000, write })).toEqual({
      head: lines(1, 5),
      tail: [],
    });
  });

  it("keeps to a number of lines, and to an empty budget", () => {
    const { head, tail } = cutExcerpt(excerpt, { tokens: 10_000, lines: 10, write });
    expect([head.length, tail.length]).toEqual([2, 8]);
    expect(cutExcerpt(excerpt, { tokens: 0, write })).toEqual({
      head: [],
      tail: [],
      gap: { from: 1, to: 1_000, lines: 1_000 },
    });
  });
});

describe("a report", () => {
  const SCRIPT = `
    echo "src/a.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'."
    echo "src/b.ts(7,1): error TS2304: Cannot find name 'missing'."
    echo "note on the side" >&2
    exit 2`;

  it("says the same in every format", async () => {
    const report = await runIn(makeFolder(), SCRIPT);
    const facts = [
      "src/a.ts",
      "3",
      "TS2322",
      "is not assignable",
      "src/b.ts",
      "7",
      "TS2304",
      "note on the side",
    ];
    for (const format of FORMATS) {
      const text = shown(report, format);
      for (const fact of [report.run.id, "2", ...facts])
        expect([format, fact, text.includes(fact)]).toEqual([format, fact, true]);
    }
  });

  it("stays inside its budget and says what it left out", async () => {
    const many = `for i in $(seq 1 400); do echo "src/f$i.ts($i,1): error TS$i: This is complaint number $i about something else"; done; exit 1`;
    const report = await runIn(makeFolder(), many);
    for (const format of FORMATS)
      for (const budget of [200, 600, 2_000]) {
        const text = shown(report, format, budget);
        expect([format, budget, encode(text).length <= budget * 1.1]).toEqual([format, budget, true]);
        expect(text).toMatch(/^all 400: build|shown \d+ of 400|"shown":\d+,"total":400/m);
        const list = shown({ ...report, verbosity: "normal" }, format, budget);
        expect(list).toMatch(/shown \d+ of 400|"shown":\d+,"total":400/);
      }
  });

  it("leaves out notes, then counts in a table, if even 40 diagnostics do not fit", async () => {
    const some = `for i in $(seq 1 40); do printf "src/f$i.ts($i,1): error TS$i: Complaint number $i about this\\n  since it has another type than that\\n"; done; exit 1`;
    const report = await runIn(makeFolder(), some);
    expect(shown(report, "text", 2_000).match(/since it has another type/g)).toHaveLength(40);
    const brief = shown(report, "text", 1_100);
    expect(brief.match(/Complaint number \d+ about this/g)).toHaveLength(40);
    expect(brief).toMatch(/\n40 notes: see the log/);
    expect(shown(report, "text", 500)).toMatch(/\nby rule:\n[^]*\nby file:\n[^]*\nall 40: build action=log/);
  });

  it("shows diagnostics first in a small budget", async () => {
    const many = `for i in $(seq 1 60); do echo "src/f$i.ts($i,1): error TS$i: This is complaint $i"; done; exit 1`;
    const service = makeRunService();
    const folder = makeFolder();
    await runIn(folder, many, { service });
    const report = await runIn(folder, many, { service });
    expect(shown(report, "text", 100)).toMatch(/shown [1-9]\d* of 60 diagnostics/);
    const json = shown(report, "json", 100);
    expect(JSON.parse(json)).toMatchObject({ errors: [{ line: 1 }], truncated: { errors: { total: 60 } } });
    expect(encode(json).length).toBeLessThanOrEqual(100);
  });

  it("says that a failure printed nothing", async () => {
    const report = await runIn(makeFolder(), "exit 3");
    expect(shown(report)).toMatch(/^FAIL exit 3, no output, run \w+$/);
    expect(shown(report, "markdown")).toContain("exit 3, no output");
    expect(JSON.parse(shown(report, "json"))).toMatchObject({ exitCode: 3, detail: "no output" });
    expect(shown(await runIn(makeFolder(), "no-such-program-here"))).not.toContain("no output");
    expect(shown(await runIn(makeFolder(), "true"))).toMatch(/^ok exit 0 run \w+$/);
  });

  it("gives the detail of how a run ended", async () => {
    const report = await runIn(makeFolder(), SCRIPT);
    const detail = "Its log is incomplete: no space left on device.";
    for (const cause of ["timed_out", "cancelled", "signal"] as const)
      for (const format of FORMATS) {
        const ended = { ...report, run: { ...report.run, end: { cause, detail } } };
        expect([cause, format, shown(ended, format).includes(detail)]).toEqual([cause, format, true]);
      }
  });

  it("distinguishes fixed, new and unchanged diagnostics", async () => {
    const folder = makeFolder();
    const service = makeRunService();
    const after = async (text: string): Promise<RunReport> => {
      await runIn(folder, `printf '%s' "${text}" > log`, { service });
      return runIn(folder, "cat log; exit 1", { service });
    };
    const complaint = (place: string, code: string) =>
      `${place}: error ${code}: complaint of its own kind ${code}\n`;
    const first = await after(complaint("a.ts(1,1)", "TS1001") + complaint("b.ts(2,2)", "TS1002"));
    expect(first.delta).toBeUndefined();
    const second = await after(complaint("b.ts(9,2)", "TS1002") + complaint("c.ts(3,3)", "TS1003"));
    expect(JSON.parse(shown(second, "json"))).toMatchObject({
      delta: {
        fixed: [{ file: "a.ts", line: 1, code: "TS1001" }],
        new: [{ file: "c.ts", line: 3 }],
        unchanged: 1,
      },
    });
    expect(shown(second, "markdown")).toContain("1 fixed, 1 new, 1 unchanged");
    expect(shown(second, "markdown")).toMatch(/fixed: a\.ts:1 TS1001/);
    expect(shown(second)).toContain("1 fixed, 1 new");
    expect(shown(second)).toMatch(/fixed: a\.ts:1 TS1001\nnew: c\.ts:3 TS1003/);
    expect(shown(await runIn(folder, "cat log; exit 1", { service }), "markdown")).toContain(
      "no change since run",
    );
    expect(shown(await runIn(folder, "cat log; exit 1", { service }))).toContain("no change");
  });

  it("gives more with each verbosity", async () => {
    const folder = makeFolder();
    const script = "seq 1 200; echo careful >&2";
    const at = async (verbosity: RunReport["verbosity"]) => shown(await runIn(folder, script, { verbosity }));
    expect(await at("minimal")).toMatch(/^ok exit 0 201 lines run \w+\ncareful$/);
    const normal = await at("normal");
    expect(normal).toMatch(/^ok exit 0 201 lines run \w+\ncareful\n[^]*\n151\n[^]*200$/);
    expect(normal).not.toContain("\n150\n");
    expect(await at("full")).toContain("\n150\n");
  });

  it("stays small for tools that write everything to stderr", async () => {
    const script = 'for i in $(seq 1 500); do echo "   Working on part $i" >&2; done';
    expect(encode(shown(await runIn(makeFolder(), script))).length).toBeLessThan(150);
  });
});

describe("renderLog", () => {
  it("cuts to the budget and names the next line", async () => {
    const { run } = await runIn(makeFolder(), "true");
    const slice: LogSlice = {
      run,
      stream: "both",
      lines: lines(11, 60),
      startLine: 11,
      endLine: 60,
      totalLines: 500,
      hasMore: true,
    };
    const { text } = renderLog(slice, { format: "text", budget: new Budget(200) });
    const [head = "", ...rest] = text.split("\n");
    const end = Number(/lines 11-(\d+) of 500/.exec(head)?.[1]);
    expect(rest).toEqual([...lines(11, end).map((line) => line.text), `more: startLine=${end + 1}`]);
    const json = JSON.parse(renderLog(slice, { format: "json", budget: new Budget(200) }).text) as LogSlice;
    expect(json).toMatchObject({
      startLine: 11,
      endLine: 10 + json.lines.length,
      totalLines: 500,
      hasMore: true,
    });
  });

  it("says that there is no output, and for how long a run lasted", async () => {
    const { run } = await runIn(makeFolder(), "true");
    const end = { cause: "timed_out", signal: "SIGTERM" } as const;
    const brief = { ...run, end, endedAt: run.startedAt + 520 };
    const slice: LogSlice = {
      run: brief,
      stream: "both",
      lines: [],
      startLine: 1,
      endLine: 0,
      totalLines: 0,
      hasMore: false,
    };
    const { text } = renderLog(slice, { format: "text", budget: new Budget(200) });
    expect(text).toBe(`run ${run.id}, timed out after 0.5 s, no output`);
  });

  it("truncates a line that is too long for the budget", async () => {
    const { run } = await runIn(makeFolder(), "true");
    const line: LogLine = { number: 1, stream: "stdout", text: "word ".repeat(5_000) };
    const slice: LogSlice = {
      run,
      stream: "both",
      lines: [line],
      startLine: 1,
      endLine: 1,
      totalLines: 1,
      hasMore: false,
    };
    const { text } = renderLog(slice, { format: "text", budget: new Budget(300) });
    const [, start = "", left, column] =
      /^(.*)… \(\+(\d+) characters\)\nmore: startLine=1 column=(\d+)$/m.exec(text) ?? [];
    expect([start.length + Number(left), Number(column)]).toEqual([25_000, start.length + 1]);
    expect(encode(text).length).toBeLessThan(300);
  });
});
