import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stripEscapes } from "../../src/diagnostics/clean/escapes.ts";
import { buildTools } from "../../src/diagnostics/registry.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import { RunService } from "../../src/runs/service.ts";
import { openRunStore } from "../../src/storage/sqlite/run-store.ts";
import { fixturesOf } from "../diagnostics/fixtures.ts";
import { RUN_SETTINGS, shown } from "../support/run-service.ts";

/** What a run costs that prints what was captured from the real tools, in tokens of the real tokenizer. */
interface Measured {
  readonly name: string;
  readonly report: RunReport;
  readonly raw: number;
  readonly reply: number;
  readonly text: string;
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pith-budgets-")));
const measured: Measured[] = [];
let output = Buffer.alloc(0);
let exitCode = 0;
/** The command is replaced by its captured output; everything else is real. */
const service = new RunService({
  settings: { ...RUN_SETTINGS, retention: { ...RUN_SETTINGS.retention, count: 10_000 } },
  environment: {},
  openStore: () => openRunStore(folder),
  execute: async (_command, options) => {
    await options.onOutput("stdout", output);
    return { cause: "exit", exitCode };
  },
});

beforeAll(async () => {
  for (const tool of buildTools)
    for (const fixture of fixturesOf(tool.id)) {
      const name = `${tool.id}/${fixture.name}`;
      output = Buffer.from(fixture.raw);
      exitCode = fixture.case.exitCode;
      const plan = { argv: [name], display: name, expected: [], isTest: false, commands: [] } as const;
      const report = await service.exec({ workspace: folder, cwd: folder, plan }, { verbosity: "minimal" });
      const text = shown(report, "text", 9_000);
      const raw = encode(stripEscapes(output.toString("utf8"))).length;
      measured.push({
        name,
        report,
        raw,
        reply: encode(text.replaceAll(report.run.id, "r123456")).length,
        text,
      });
    }
}, 300_000);

afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

describe("a reply on a captured run", () => {
  it("never costs more than the raw output and 15 tokens", () => {
    const over = measured.filter(({ raw, reply }) => reply > raw + 15);
    expect(over.map(({ name, raw, reply, text }) => `${name}: ${reply} for ${raw}: ${text}`)).toEqual([]);
  });

  it("costs at most 12 tokens beyond its counts when all is green", () => {
    const green = measured.filter(({ report }) => report.passed && report.run.findings?.counts.warning === 0);
    expect(green.length).toBeGreaterThan(20);
    const over = green.filter(({ reply, text }) => {
      const counts = /\d+ (?:passed|skipped)(?:, \d+ skipped)?/.exec(text.split("\n")[0] ?? "")?.[0] ?? "";
      return reply - encode(counts).length > 12 && text.includes("\n");
    });
    expect(over.map(({ name, text }) => `${name}: ${text.slice(0, 200)}`)).toEqual([]);
  });

  it("says the same success in every format", () => {
    for (const { report, text, name } of measured) {
      const json = JSON.parse(shown(report, "json", 9_000)) as { success: boolean; runId: string };
      expect([name, json.success, json.runId]).toEqual([name, report.success, report.run.id]);
      expect([name, text.includes(report.run.id)]).toEqual([name, true]);
      expect([name, shown(report, "markdown", 9_000).includes(report.run.id)]).toEqual([name, true]);
    }
  });

  it("brings evidence with every failure", () => {
    const bare = measured.filter(
      ({ report, text, raw }) => !report.success && raw > 0 && !text.includes("\n"),
    );
    expect(bare.map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
  });

  it("is never a pass where the tool exited with a failure, whatever it printed", () => {
    const failed = measured.filter(({ report }) => report.run.end?.exitCode !== 0);
    expect(failed.length).toBeGreaterThan(300);
    expect(failed.filter(({ report }) => report.passed || report.success).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it("is never a pass where the runner counted a failure or could not load a suite", () => {
    const troubled = measured.filter(({ report }) =>
      report.run.findings?.tests.some((one) => one.failed + one.failedSuites + one.unhandledErrors > 0),
    );
    expect(
      new Set(troubled.flatMap(({ report }) => report.run.findings?.tests.map((one) => one.runner) ?? []))
        .size,
    ).toBeGreaterThan(15);
    expect(troubled.filter(({ report }) => report.passed).map(({ name }) => name)).toEqual([]);
  });

  it("has the committed score on long lists: tokens of the raw output and of the reply that holds every diagnostic", async () => {
    const long = measured
      .map((one) => ({ ...one, found: one.report.run.findings?.diagnostics.length ?? 0 }))
      .filter(({ found }) => found >= 50)
      .map(({ name, raw, reply, found, text }) => {
        const cut = /shown (\d+) of/.exec(text)?.[1];
        return [
          name.padEnd(32),
          `${cut ?? found}/${found}`.padStart(9),
          String(raw).padStart(7),
          String(reply).padStart(7),
          `${Math.round((reply / raw) * 100)} %`.padStart(6),
        ].join("");
      });
    const head = `${"fixture".padEnd(32)}${"shown".padStart(9)}${"raw".padStart(7)}${"reply".padStart(7)}${"share".padStart(6)}`;
    await expect(`${[head, ...long].join("\n")}\n`).toMatchFileSnapshot("../quality/replies.txt");
  });
});
