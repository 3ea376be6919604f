import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stripEscapes } from "../../src/diagnostics/clean/escapes.ts";
import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import { RunService } from "../../src/runs/service.ts";
import { openRunStore } from "../../src/storage/sqlite/run-store.ts";
import { fixturesOf } from "../diagnostics/fixtures.ts";
import { RUN_SETTINGS, shown } from "../support/run-service.ts";

/** The cost of a reply on captured output of a real tool, in tokens of a real tokenizer. */
interface Measured {
  readonly name: string;
  readonly report: RunReport;
  readonly raw: number;
  readonly reply: number;
  readonly text: string;
  /** The reply to the call that lists every diagnostic and failed test; empty if the first reply lists them. */
  readonly all: string;
  /** The number of diagnostics and failed tests. */
  readonly found: number;
}

/** Up to this number every diagnostic and failed test is in the first reply. */
const MAX_LISTED = 50;

interface Captured {
  readonly name: string;
  readonly raw: Buffer;
  readonly exitCode: number;
}

/** Long outputs of tools on real projects. */
function longOutputs(): Captured[] {
  const replies = join(import.meta.dirname, "../quality/replies");
  const cases: Record<string, { exitCode: number }> = JSON.parse(
    readFileSync(join(replies, "cases.json"), "utf8"),
  );
  return Object.entries(cases).map(([name, { exitCode }]) => ({
    name,
    raw: readFileSync(join(replies, `${name}.txt`)),
    exitCode,
  }));
}

function fixtures(): Captured[] {
  return buildTools.flatMap((tool) =>
    fixturesOf(tool.id).map((fixture) => ({
      name: `${tool.id}/${fixture.name}`,
      raw: fixture.raw,
      exitCode: fixture.case.exitCode,
    })),
  );
}

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pith-budgets-")));
const measured: Measured[] = [];
let output: Buffer = Buffer.alloc(0);
let exitCode = 0;
/** The command's captured output replaces its execution; everything else is real. */
const service = new RunService({
  settings: RUN_SETTINGS,
  environment: {},
  openStore: () => openRunStore(folder),
  execute: async (_command, options) => {
    await options.onOutput("stdout", output);
    return { cause: "exit", exitCode };
  },
});

beforeAll(async () => {
  for (const captured of [...fixtures(), ...longOutputs()]) {
    const { name } = captured;
    output = captured.raw;
    exitCode = captured.exitCode;
    const plan = { argv: [name], display: name, expected: [], isTest: false, commands: [] } as const;
    const report = await service.exec({ workspace: folder, cwd: folder, plan }, { verbosity: "minimal" });
    const text = shown(report, "text", DEFAULT_TOKENS);
    const { diagnostics = [], tests = [] } = report.run.findings ?? {};
    const found = diagnostics.length + tests.reduce((sum, one) => sum + one.failures.length, 0);
    measured.push({
      name,
      report,
      raw: encode(stripEscapes(output.toString("utf8"))).length,
      reply: encode(text.replaceAll(report.run.id, "r123456")).length,
      text,
      all: found <= MAX_LISTED ? "" : shown(await service.report(report.run.id, "normal"), "text", 9_000),
      found,
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
    const green = greenRuns();
    expect(green.length).toBeGreaterThan(20);
    const over = green.filter(
      ({ report, raw, reply, own, rest }) =>
        own > 12 || (rest !== "" && reply > raw + 12) || report.disagreements.length > 0,
    );
    expect(over.map(({ name, text }) => `${name}: ${text.slice(0, 200)}`)).toEqual([]);
  });

  it("fits a small budget in every format", () => {
    const wrong: string[] = [];
    // Markdown headings and fences need some tokens.
    const budgets = { text: 200, json: 200, markdown: 300 } as const;
    for (const [at, { report, name }] of measured.entries())
      for (const format of formatsFor(at, ["text", "json", "markdown"])) {
        const most = budgets[format];
        const text = shown(report, format, most);
        // The budget is applied to estimated tokens, so the real count may differ a little.
        if (encode(text).length > most * 1.15)
          wrong.push(`${name}: ${encode(text).length} ${format} for ${most}: ${text}`);
      }
    expect(wrong).toEqual([]);
  });

  it("reports the same success in every format", () => {
    for (const [at, { report, text, name }] of measured.entries()) {
      expect([name, text.includes(report.run.id)]).toEqual([name, true]);
      for (const format of formatsFor(at, ["json", "markdown"])) {
        const other = shown(report, format, 9_000);
        expect([name, other.includes(report.run.id)]).toEqual([name, true]);
        if (format === "markdown") continue;
        const json = JSON.parse(other) as { success: boolean; runId: string };
        expect([name, json.success, json.runId]).toEqual([name, report.success, report.run.id]);
      }
    }
  });

  it("includes evidence for every failure", () => {
    const bare = measured.filter(
      ({ report, text, raw }) => !report.success && raw > 0 && !text.includes("\n"),
    );
    expect(bare.map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
  });

  it("is never a pass if the tool exited with a failure, whatever it printed", () => {
    const failed = measured.filter(({ report }) => report.run.end?.exitCode !== 0);
    expect(failed.length).toBeGreaterThan(300);
    expect(failed.filter(({ report }) => report.passed || report.success).map(({ name }) => name)).toEqual(
      [],
    );
  });

  it("is never a pass if the runner counted a failure or could not load a suite", () => {
    const troubled = measured.filter(({ report }) =>
      report.run.findings?.tests.some((one) => one.failed + one.failedSuites + one.unhandledErrors > 0),
    );
    expect(
      new Set(troubled.flatMap(({ report }) => report.run.findings?.tests.map((one) => one.runner) ?? []))
        .size,
    ).toBeGreaterThan(15);
    expect(troubled.filter(({ report }) => report.passed).map(({ name }) => name)).toEqual([]);
  });

  it("is short if there are many diagnostics, counts all of them and names the call that lists them", () => {
    const long = measured.filter(({ found }) => found > MAX_LISTED);
    expect(long.length).toBeGreaterThan(30);
    const wrong = long.filter(
      ({ reply, text, report }) =>
        reply > MAX_FIRST_REPLY ||
        /^shown \d+ of/m.test(text) ||
        (text.includes("by rule:") &&
          !text.includes(`all ${report.run.findings?.diagnostics.length}: build`)),
    );
    expect(wrong.map(({ name, reply, text }) => `${name}: ${reply}: ${text}`)).toEqual([]);
  });

  it("lists every diagnostic if there are up to 50, or on demand", () => {
    const listed = measured.filter(({ found }) => found > 0);
    const cut = /^shown \d+ of/m;
    const wrong = listed.filter(
      ({ found, text, all }) =>
        (found <= MAX_LISTED && (cut.test(text) || text.includes("by rule:"))) || cut.test(all),
    );
    expect(wrong.map(({ name, text }) => `${name}: ${text}`)).toEqual([]);
  });

  it("matches the committed score", async () => {
    const long = measured
      .filter(({ found }) => found > MAX_LISTED)
      .map(({ name, raw, reply, found, all }) => [name, found, raw, reply, encode(all).length]);
    const green = greenRuns().map(({ name, raw, reply, own }) => [name, "", raw, reply, own]);
    const shorter = measured.filter(({ found }) => found > 0 && found <= MAX_LISTED);
    const most = Math.max(...shorter.map(({ raw, reply }) => reply - raw));
    const text = [
      ...table(["more than 50 findings", "found", "raw", "reply", "all"], long),
      "",
      ...table(["all is green", "", "raw", "reply", "own"], green),
      "",
      `fewer diagnostics: at most ${most} tokens more than raw`,
      "",
    ].join("\n");
    await expect(text).toMatchFileSnapshot("../quality/replies.txt");
  });
});

/** The default budget of the tools that run commands, and the most tokens of a reply with a table. */
const DEFAULT_TOKENS = 2_000;
const MAX_FIRST_REPLY = 800;

/** The formats in which an output is tried: each one in turn, so that every tool meets several. PITH_TEST_FULL=1 tries all. */
function formatsFor<const Format>(at: number, formats: readonly Format[]): readonly Format[] {
  return process.env["PITH_TEST_FULL"] === "1"
    ? formats
    : formats.filter((_, n) => n === at % formats.length);
}

interface Green extends Measured {
  /** The tokens of the reply beyond its counts and the tool's own text. */
  readonly own: number;
  /** The stderr of a successful run, which is shown and counts as the tool's own text. */
  readonly rest: string;
}

function greenRuns(): Green[] {
  return measured
    .filter(({ report }) => report.passed && report.run.findings?.counts.warning === 0)
    .map((one) => {
      const [head = ""] = one.text.split("\n");
      const counts = head.match(/\w+ \d+ (?:packages? )?(?:passed|skipped)|\d+ (?:skipped|lines?)/g) ?? [];
      const rest = one.text.slice(head.length);
      return { ...one, rest, own: one.reply - encode(counts.join()).length - encode(rest).length };
    });
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  const widths = [26, 9, 8, 7, 7];
  return [head, ...rows].map((cells) =>
    cells
      .map((cell, at) =>
        at === 0 ? String(cell).padEnd(widths[at] ?? 0) : String(cell).padStart(widths[at] ?? 0),
      )
      .join(" ")
      .trimEnd(),
  );
}
