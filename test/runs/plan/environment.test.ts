import { expect, it } from "vitest";
import { RUN_VARIABLES } from "../../../src/runs/plan/environment.ts";
import { call } from "../../support/client.ts";
import { makeFolder } from "../../support/folder.ts";
import { makeRunService, runIn, shown } from "../../support/run-service.ts";
import { connect } from "../../support/inside.ts";

/** A test file whose result depends on the colour settings of its environment. */
const COLOURS = `
import { test } from "node:test";
import assert from "node:assert/strict";
test("shows colours where the user wants them", () => {
  assert.equal(process.env.NO_COLOR, undefined);
  assert.equal(process.env.CI, undefined);
  assert.equal(process.env.FORCE_COLOR, "1");
});
test("fails in red", () => assert.equal("\\u001B[31mred\\u001B[39m", "green"));
`;

it("gives a command the user's environment and only the documented additions", async () => {
  const user = {
    PATH: process.env["PATH"] ?? "",
    HOME: "/tmp",
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
  };
  const given = { ...user, FORCE_COLOR: "1", CLICOLOR_FORCE: "1", CI: "", LANG: "C.UTF-8", PAGER: "most" };
  const service = makeRunService({ addEnvironment: { MINE: "yes" } }, given);
  const script = "console.log(JSON.stringify(process.env))";
  const report = await runIn(makeFolder({ "env.mjs": script }), "node env.mjs", { service });
  const slice = await service.log({ runId: report.run.id, stream: "stdout", startLine: 1, lineCount: 1 });
  const seen: unknown = JSON.parse(slice.lines[0]?.text ?? "");
  const marker = `PITH_RUN_${report.run.id.toUpperCase()}`;
  const set = Object.fromEntries(Object.entries(RUN_VARIABLES).map(([name, { value }]) => [name, value]));
  const path = expect.stringMatching(/^.*node_modules\/\.bin.*$/);
  expect(seen).toEqual({ ...given, ...set, PATH: path, MINE: "yes", [marker]: "1" });
  expect(Object.keys(RUN_VARIABLES).sort()).toEqual([
    "GCM_INTERACTIVE",
    "GIT_PAGER",
    "GIT_TERMINAL_PROMPT",
    "PAGER",
  ]);
});

it("strips the escapes of a program with forced colours, in every format and stream", async () => {
  const folder = makeFolder({ "a.test.mjs": COLOURS });
  const environment = { PATH: process.env["PATH"], HOME: process.env["HOME"], FORCE_COLOR: "1" };
  const service = makeRunService({}, environment);
  const report = await runIn(folder, "node --test --test-reporter=spec a.test.mjs", {
    service,
    verbosity: "full",
  });
  expect(report.run.findings?.tests).toMatchObject([{ passed: 1, failed: 1 }]);
  expect(report.run.findings?.tests[0]?.failures).toMatchObject([{ name: "fails in red" }]);
  for (const format of ["text", "json", "markdown"] as const) {
    expect(shown(report, format)).toContain("fails in red");
    expect(shown(report, format)).not.toContain("\u001B");
    expect(shown(report, format)).not.toContain("\\u001b");
  }
  const slice = await service.log({ runId: report.run.id, stream: "both", startLine: 1, lineCount: 500 });
  expect(slice.lines.map((line) => line.text).join("\n")).not.toContain("\u001B");
});

it("adds the variables of the user's config file, which the caller's own override", async () => {
  const home = makeFolder({ ".config/pith/config.toml": '[runs]\nenv = { CI = "1", GREETING = "a b" }\n' });
  const client = await connect(makeFolder(), { dataFolder: home, env: { TERM: "vt220" } });
  const said = await call(client, "bash", { command: 'echo "[$CI] [$GREETING] [$NO_COLOR] [$TERM]"' });
  expect(said).toContain("[1] [a b] [] [vt220]");
  const own = await call(client, "bash", { command: "echo [$CI]", env: { CI: "no" } });
  expect(own).toContain("[no]");
});
