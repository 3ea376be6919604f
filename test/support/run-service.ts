import { join } from "node:path";
import { onTestFinished } from "vitest";
import { execute } from "../../src/exec/execute.ts";
import { Budget } from "../../src/kernel/budget.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import type { Format } from "../../src/render/rendered.ts";
import { renderRun } from "../../src/render/run/run.ts";
import { planLine } from "../../src/runs/plan/plan.ts";
import type { RunSettings } from "../../src/runs/plan/request.ts";
import { RunService } from "../../src/runs/service.ts";
import { openRunStore } from "../../src/storage/sqlite/run-store.ts";
import { makeFolder } from "./folder.ts";

export const RUN_SETTINGS: RunSettings = {
  answerMs: 60_000,
  timeoutMs: 60_000,
  maxOutputBytes: 1e9,
  reports: true,
  retention: { count: 50, maxAgeMs: 1e10, maxBytes: 1e9 },
  permissions: { allow: ["*"], ask: [], deny: [] },
  roots: [],
  passEnvironment: ["*"],
  addEnvironment: {},
};

/** Creates a run service with its own data folder; it is closed when the test ends. */
export function makeRunService(
  changes: Partial<RunSettings> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): RunService {
  const data = makeFolder();
  const service = new RunService({
    settings: { ...RUN_SETTINGS, ...changes },
    environment,
    openStore: () => openRunStore(join(data, "runs")),
    execute,
  });
  onTestFinished(() => service.close());
  return service;
}

/** Runs a command line in a folder and returns its report. */
export function runIn(
  cwd: string,
  line: string,
  options: { service?: RunService; timeoutMs?: number; verbosity?: RunReport["verbosity"] } = {},
): Promise<RunReport> {
  const { service = makeRunService(), timeoutMs, verbosity = "minimal" } = options;
  const request = { workspace: cwd, cwd, plan: planLine(line) };
  return service.exec({ ...request, ...(timeoutMs === undefined ? {} : { timeoutMs }) }, { verbosity });
}

/** Renders the report as an agent reads it. */
export function shown(report: RunReport, format: Format = "text", maxTokens = 2_000): string {
  return renderRun(report, { format, budget: new Budget(maxTokens) }).text;
}
