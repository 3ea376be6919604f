import { chmodSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunReport } from "../../src/model/run-report.ts";
import { makeFolder } from "../support/folder.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";
import { type RunnerCapture, runnerCaptures } from "./runner-captures.ts";

/**
 * Tests every runner with seven of the filters that agents pipe it into: four with failing tests, three in its other ways to end, and
 * others for the next runner. So every way to end meets every filter, and every filter meets a dozen runners or more. PITH_TEST_FULL=1
 * tests every runner with every filter. The shells and filters are real; the runner is a program of the same name that replays captured
 * output and the captured exit code.
 */
const FILTERS: readonly string[] = [
  "RUN 2>&1 | tail -5",
  "RUN 2>&1 | head -3",
  "RUN 2>&1 | grep -i 'no such text'",
  "RUN 2>&1 | sed -n '1,2p'",
  "RUN 2>&1 | awk 'NR < 3' | cut -c1-30",
  "RUN 2>&1 | sort | uniq -c | tail -2",
  "RUN 2>&1 | tee all.log | wc -l",
  "RUN 2>/dev/null | fold -w 40 | column -t",
  "RUN > out.log 2>&1; tail -3 out.log",
  "RUN || true",
  'RUN; echo "EXIT: $?"',
  "cd . && (RUN; echo $?) 2>&1 | less && echo done",
];
/** Runners that print their results to stderr. */
const ON_STDERR: ReadonlySet<string> = new Set(["jest", "unittest", "bun"]);
const CASES = ["passes", "fails", "does not load", "finds none"] as const;
const OTHER_CASES = CASES.filter((name) => name !== "fails");
const AT_ONCE = 6;
const isFull = process.env["PITH_TEST_FULL"] === "1";

const captures = runnerCaptures();
const runners = [...new Set(Object.keys(captures).map((name) => name.split(": ")[0] ?? ""))].filter(
  (runner) => CASES.every((name) => captures[`${runner}: ${name}`]?.end.exitCode !== undefined),
);

it("covers at least twenty runners and a dozen filters", () => {
  expect(runners.length).toBeGreaterThanOrEqual(20);
  expect(FILTERS.length).toBeGreaterThanOrEqual(12);
});

/** The filters for one of a runner's ways to end. */
function filtersFor(runner: string, name: string): readonly string[] {
  const turn = runners.indexOf(runner);
  const place = OTHER_CASES.findIndex((one) => one === name);
  if (isFull) {
    const half = FILTERS.filter((_, at) => (at + turn) % 2 === (name === "fails" ? 0 : 1));
    return name === "fails" ? half : half.filter((_, at) => (at + turn + place) % OTHER_CASES.length === 0);
  }
  if (name === "fails") return FILTERS.filter((_, at) => (at + turn) % 3 === 0);
  return [FILTERS[(turn + 1 + place * 5) % FILTERS.length] ?? ""];
}

describe.each(runners)("%s behind a filter", (runner) => {
  it.each(CASES)("%s", { timeout: 120_000 }, async (name) => {
    const capture = captures[`${runner}: ${name}`];
    if (capture === undefined) throw new Error("not captured");
    const folder = replay(capture, ON_STDERR.has(runner));
    const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
    const service = makeRunService({}, { ...process.env, PATH: path });
    const open = await runIn(folder, capture.command, { service });
    await inTurns(filtersFor(runner, name), async (filter) => {
      const line = filter.replace("RUN", () => capture.command);
      const report = await runIn(folder, line, { service });
      const text = shown(report);
      expect({ line, ...resultOf(report) }).toEqual({ line, ...resultOf(open) });
      expect({ line, passed: report.passed, text }).toMatchObject({ passed: name === "passes" });
      expect(text).toMatch(name === "passes" ? /^(?:PASS|ok)/ : /^(?:FAIL|UNCLEAR)/);
    });
  });
});

/** The comparable part of a report: exit code, counts, and every failure and diagnostic by name and place. */
function resultOf({ run }: RunReport): object {
  const { tests = [], diagnostics = [] } = run.findings ?? {};
  return {
    exitCode: run.end?.exitCode,
    tests: tests.map(({ failures, ...counts }) => ({
      ...counts,
      durationMs: 0,
      failures: failures.map(({ kind, name, file, line }) => ({ kind, name, file, line })),
    })),
    // The last line of a message may be text that the command line echoes after it.
    diagnostics: diagnostics.map(({ message, ...one }) => ({ ...one, message: message.split("\n")[0] })),
  };
}

/** Creates a folder with stand-ins for the programs that the command calls; the last one replays the capture. */
function replay({ command, output, end }: RunnerCapture, onStderr: boolean): string {
  const programs = command.split(" && ").map((part) => part.split(" ")[0] ?? "");
  const preparations = new Set(["cmake", "init"]);
  const folder = makeFolder({ "bin/output.txt": output });
  for (const program of programs) {
    const script = [
      "#!/bin/sh",
      `case "${program} $1" in ${[...preparations].map((one) => `*${one}*`).join("|")}) exit 0;; esac`,
      `/bin/cat "\${0%/*}/output.txt"${onStderr ? " >&2" : ""}`,
      `exit ${end.exitCode}`,
    ];
    const file = join(folder, "bin", program);
    writeFileSync(file, `${script.join("\n")}\n`);
    chmodSync(file, 0o755);
  }
  return folder;
}

async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const next = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}
