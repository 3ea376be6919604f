import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";
import { type Files, type RunnerCases, SYSTEM_RUNNERS } from "./runner-cases.ts";

/**
 * Tests real runners behind filters, as far as they are installed here and start quickly: failing tests behind each, every
 * other way to end behind one. The matrix of captured runners has the other pairs.
 */
const FILTERS = ["RUN 2>&1 | tail -3", "RUN 2>&1 | head -2", "RUN > out.log 2>&1 || true"] as const;

describe.each(Object.entries(SYSTEM_RUNNERS).filter(([, runner]) => !runner.slow))(
  "%s itself",
  (_, runner) => {
    const cases: readonly (readonly [name: string, files: Files | undefined])[] = [
      ["passes", runner.passes],
      ["fails", runner.fails],
      ["does not load", runner.doesNotLoad],
      ["finds none", runner.none],
    ];
    it.skipIf(!works(runner)).each(cases)("%s behind a filter", { timeout: 120_000 }, async (name, files) => {
      if (files === undefined) return;
      const folder = makeFolder({ ...runner.always, ...files });
      const service = makeRunService();
      const open = await runIn(folder, runner.command, { service });
      const turn = cases.findIndex(([one]) => one === name);
      for (const filter of name === "fails" ? FILTERS : FILTERS.slice(turn % FILTERS.length).slice(0, 1)) {
        const report = await runIn(
          folder,
          filter.replace("RUN", () => runner.command),
          { service },
        );
        const text = shown(report);
        // A runner that `head` stopped early did not finish, with or without Pith, so its run is not green.
        const isCut = report.run.end?.isPartial === true;
        if (report.passed || !isCut) {
          expect(report.passed, `${filter}: ${text}`).toBe(name === "passes");
          expect(report.run.end?.exitCode, `${filter}: ${text}`).toBe(open.run.end?.exitCode);
        }
        expect(isCut, text).toBe(isCut && filter.includes("head"));
        expect(text).not.toMatch(isCut ? /no test ran/ : /^$/);
      }
    });
  },
);

/** Returns whether the program really runs; a version manager may have installed only its shim. */
function works({ program, probe = ["--version"] }: RunnerCases): boolean {
  return spawnSync(program, probe, { stdio: "ignore", timeout: 60_000 }).status === 0;
}

it("says that a stage may have failed only because the next one stopped reading", { retry: 2 }, async () => {
  const flood = "setInterval(() => process.stdout.write('line\\n'.repeat(999)), 1);\n";
  const folder = makeFolder({ "flood.mjs": flood });
  const report = await runIn(folder, "node flood.mjs | head -1", { timeoutMs: 20_000 });
  expect(report.success).toBe(false);
  expect(shown(report)).toContain(
    '! exit 1 before "| head -1", which had stopped reading, perhaps the only cause: run it without "| head -1"',
  );
});
