import { readdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { execute } from "../../../src/exec/execute.ts";
import type { RunReport } from "../../../src/model/run-report.ts";
import { planLine } from "../../../src/runs/plan/plan.ts";
import { RunService } from "../../../src/runs/service.ts";
import { openRunStore } from "../../../src/storage/sqlite/run-store.ts";
import { makeFolder } from "../../support/folder.ts";
import { refuseEndings } from "../../support/refusing-store.ts";
import { RUN_SETTINGS, shown } from "../../support/run-service.ts";

const FAILING = `for (let line = 1; line <= 9; line++) console.error("src/a.c:" + line + ":5: error: expected expression");
process.exitCode = 3;`;

function serviceIn(data: string): RunService {
  const service = new RunService({
    settings: RUN_SETTINGS,
    environment: process.env,
    openStore: () => openRunStore(data),
    execute,
  });
  onTestFinished(() => service.close());
  return service;
}

function exec(service: RunService, cwd: string): Promise<RunReport> {
  return service.exec({ workspace: cwd, cwd, plan: planLine("node run.js") }, { verbosity: "minimal" });
}

/** Creates a service whose store accepts new runs but refuses their results. */
async function withRefusingStore() {
  const data = makeFolder();
  const workspace = makeFolder({ "run.js": FAILING });
  const service = serviceIn(data);
  await service.list(workspace, 1);
  const allow = await refuseEndings(join(data, "runs.db"));
  return { data, workspace, service, allow };
}

describe("a run whose result the store refuses", () => {
  it("is reported with its true result and a note that it is not saved", async () => {
    const { workspace, service, allow } = await withRefusingStore();
    const report = await exec(service, workspace);
    expect(report.run.end).toEqual({ cause: "exit", exitCode: 3 });
    expect(report.run.findings?.counts.error).toBe(9);
    for (const format of ["text", "json", "markdown"] as const)
      expect(shown(report, format)).toContain("Result not saved yet");
    const { id } = report.run;
    expect((await service.report(id, "minimal")).run.end?.exitCode).toBe(3);
    expect((await service.stop(id)).run.end?.exitCode).toBe(3);
    const query = { runId: id, stream: "both", startLine: 1, lineCount: 10 } as const;
    expect(await service.log({ ...query, waitMs: 60_000 })).toMatchObject({ totalLines: 9, run: report.run });
    expect(await service.list(workspace, 5)).toMatchObject([{ id, end: { exitCode: 3 } }]);
    allow();
    expect((await service.report(id, "minimal")).notices).toBeUndefined();
  });

  it("is saved as soon as the store accepts it", async () => {
    const { data, workspace, service, allow } = await withRefusingStore();
    const { run } = await exec(service, workspace);
    const other = serviceIn(data);
    expect(await other.list(workspace, 5)).toMatchObject([{ id: run.id }]);
    expect((await other.list(workspace, 5))[0]?.end).toBeUndefined();
    allow();
    await service.list(workspace, 1);
    expect((await other.report(run.id, "minimal")).run).toMatchObject({
      end: { cause: "exit", exitCode: 3 },
      findings: { counts: { error: 9 } },
    });
  });

  it("is saved at the latest when its server exits", async () => {
    const { data, workspace, service, allow } = await withRefusingStore();
    const { run } = await exec(service, workspace);
    allow();
    await service.close();
    expect((await serviceIn(data).report(run.id, "minimal")).run.end).toEqual(run.end);
  });
});

it.skipIf(process.platform !== "linux")("records the end of a run that could not be started", async () => {
  const data = makeFolder();
  const workspace = makeFolder({ "run.js": "" });
  const service = serviceIn(data);
  await exec(service, workspace);
  const [logs] = readdirSync(data, { withFileTypes: true }).filter((one) => one.isDirectory());
  if (logs === undefined) throw new Error("no folder of logs");
  // Not even root can create a file here.
  renameSync(join(data, logs.name), join(data, "elsewhere"));
  symlinkSync("/proc/self", join(data, logs.name));
  await expect(exec(service, workspace)).rejects.toThrow();
  const [newest] = await service.list(workspace, 1);
  expect(newest?.end).toMatchObject({ cause: "spawn_failed", detail: expect.stringContaining("open") });
});
