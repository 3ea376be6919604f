import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";

describe("a command that floods its output", () => {
  it("completes, is stored completely, and any of its lines can be read", async () => {
    const service = makeRunService();
    const report = await runIn(makeFolder(), "seq 1 600000; seq 1 1000 >&2; exit 1", { service });
    expect(report.run.log).toEqual({
      lines: 601_000,
      stdoutLines: 600_000,
      stderrLines: 1_000,
      bytes: 4_092_788,
    });
    expect(shown(report).length).toBeLessThan(8_000);
    const at = async (startLine: number) => {
      const query = { runId: report.run.id, stream: "stdout", startLine, lineCount: 2 } as const;
      return (await service.log(query)).lines.map((line) => line.text);
    };
    expect(await at(1)).toEqual(["1", "2"]);
    expect(await at(234_567)).toEqual(["234567", "234568"]);
    expect(await at(-1)).toEqual(["600000"]);
    const found = await service.log({
      runId: report.run.id,
      stream: "both",
      startLine: 1,
      lineCount: 5,
      grep: "^5999(97|98)$",
    });
    expect(found.lines.map((line) => line.text)).toEqual(["599997", "599998"]);
  });

  it("may be one endless line", async () => {
    const report = await runIn(makeFolder(), "head -c 8000000 /dev/zero | tr '\\0' x");
    expect(report.run.log).toMatchObject({ lines: 1, bytes: 8_000_000 });
    expect(shown({ ...report, verbosity: "full" })).toMatch(/^ok exit 0/);
  });

  it("is stopped at its limit", async () => {
    const service = makeRunService({ maxOutputBytes: 100_000 });
    const report = await runIn(makeFolder(), "yes", { service });
    expect(report.run).toMatchObject({ end: { cause: "output_limit" }, log: { bytes: 100_000 } });
    expect(shown(report)).toMatch(/^FAIL stopped: it wrote more than/);
  });
});
