import { expect, it } from "vitest";
import { planOwnTool } from "../../src/runs/plan/own-tools.ts";
import { makeFolder } from "../support/folder.ts";
import { makeRunService } from "../support/run-service.ts";

const TOOL = {
  name: "acme",
  file: "pith.toml",
  table: {
    command: "node acme.mjs",
    format: { complaints: [String.raw`^(?<file>\S+) at (?<line>\d+) is (?<message>.*)$`] },
  },
};

it("runs a tool of pith.toml under the user's permissions, and reads its output", async () => {
  const cwd = makeFolder({ "acme.mjs": 'console.log("src/a.acme at 12 is broken"); process.exit(1);' });
  const sources = { tools: [TOOL], cwd, workspace: cwd, path: "" };
  const plan = await planOwnTool("acme", [], sources);
  if (plan === undefined) throw new Error("no plan");
  const request = { workspace: cwd, cwd, plan };
  const service = makeRunService({ customTools: [TOOL] });
  const { run } = await service.exec(request, { verbosity: "minimal" });
  expect(run.findings?.diagnostics).toMatchObject([
    { tool: "acme", severity: "error", file: "src/a.acme", line: 12, message: "broken" },
  ]);
  const strict = makeRunService({
    customTools: [TOOL],
    permissions: { allow: ["*"], ask: [], deny: ["node *"] },
  });
  await expect(strict.exec(request, { verbosity: "minimal" })).rejects.toThrow(/node/);
});
