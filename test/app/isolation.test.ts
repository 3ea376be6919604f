import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isolationOf } from "../../src/app/isolation.ts";
import { loadConfig } from "../../src/config/load.ts";
import { bubblewrapProblem } from "../../src/exec/isolation/enclosure.ts";
import { planShell } from "../../src/runs/plan/plan.ts";
import { makeRunService } from "../support/run-service.ts";

const problem = await bubblewrapProblem();

it.skipIf(problem !== undefined)(
  "shows a command the tools in the home folder without their credentials",
  async () => {
    // It is not below /tmp, which a sandbox replaces as a whole.
    const home = mkdtempSync("/var/tmp/pith-home-");
    onTestFinished(() => rmSync(home, { recursive: true }));
    const files = {
      ".local/share/uv/tools/tool": "a tool",
      ".local/share/uv/credentials/credentials.toml": "of uv",
      ".dotnet/sdk/tool": "another tool",
      ".dotnet/corefx/cryptography/x509stores/my/a.pfx": "of dotnet",
      ".cargo/credentials.toml": "of cargo",
      ".npmrc": "of npm",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), `${text}\n`);
    }
    const workspace = join(home, "work");
    mkdirSync(workspace);
    const environment = {
      variables: { PATH: process.env["PATH"] },
      home,
      platform: process.platform,
      cwd: workspace,
    };
    const { config } = loadConfig(environment, workspace, { "runs.isolation": "bubblewrap" });
    const isolation = isolationOf(config, environment);
    if (isolation === undefined) throw new Error("runs are not isolated");
    const service = makeRunService({ isolation });
    const plan = planShell(`cd ${home}; cat ${Object.keys(files).join(" ")}`);
    const { run } = await service.exec({ workspace, cwd: workspace, plan }, { verbosity: "full" });
    const { lines } = await service.log({ runId: run.id, stream: "stdout", startLine: 1, lineCount: 9 });
    expect(lines.map(({ text }) => text)).toEqual(["a tool", "another tool"]);
  },
);
