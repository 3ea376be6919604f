import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import type { ToolResult } from "../support/node-tools.ts";
import { expectOurText } from "./expectations.ts";
import { agentSdk, claude } from "./installed.ts";
import { makeProject, STEPS } from "./project.ts";
import { type ScriptedModel, startScriptedModel } from "./scripted-model.ts";

/** A program as a user of the SDK would write it: the runner starts the server, and the SDK connects to it. */
const PROGRAM = (sdk: string, runner: string, executable: string): string => `
import { query } from ${JSON.stringify(sdk)};
import { claudeMcpServers, startPith } from ${JSON.stringify(runner)};
const pith = await startPith({ workspace: process.cwd() });
const options = {
  mcpServers: claudeMcpServers(pith.endpoint),
  allowedTools: ["mcp__pith"],
  pathToClaudeCodeExecutable: ${JSON.stringify(executable)},
};
for await (const message of query({ prompt: "go", options })) if (message.type === "result") console.log(message.result);
await pith.shutdown();
console.log(pith.state);
`;

/** A program that interrupts the agent while a command runs, and waits until the command has ended while the server still runs. */
const INTERRUPTING = (sdk: string, runner: string, executable: string): string => `
import { readdirSync, readFileSync } from "node:fs";
import { query } from ${JSON.stringify(sdk)};
import { claudeMcpServers, startPith } from ${JSON.stringify(runner)};
const sleeping = () => readdirSync("/proc").some((pid) => {
  try { return readFileSync("/proc/" + pid + "/cmdline", "utf8") === "sleep\\0" + process.argv[2] + "\\0"; } catch { return false; }
});
const until = async (wanted) => { while (sleeping() !== wanted) await new Promise((done) => setTimeout(done, 50)); };
const pith = await startPith({ workspace: process.cwd() });
const options = {
  mcpServers: claudeMcpServers(pith.endpoint),
  allowedTools: ["mcp__pith"],
  pathToClaudeCodeExecutable: ${JSON.stringify(executable)},
};
let close;
const closed = new Promise((done) => (close = done));
async function* prompts() {
  yield { type: "user", message: { role: "user", content: "go" }, parent_tool_use_id: null, session_id: "" };
  await closed;
}
const agent = query({ prompt: prompts(), options });
// After an interruption the SDK ends with an error, which is not under test here.
const reading = (async () => { for await (const message of agent); })().catch(() => undefined);
await until(true);
console.log("started");
await agent.interrupt();
await until(false);
console.log("gone, " + pith.state);
close();
await reading;
await pith.shutdown();
`;

describe.skipIf(agentSdk === undefined || claude === undefined)(
  "the Claude Agent SDK with the runner",
  () => {
    it("shows the model our text over HTTP, and ends with the server stopped", async () => {
      const model = await startScriptedModel("anthropic", STEPS);
      const result = await runProgram(PROGRAM, model);
      expect(result).toMatchObject({ status: 0, output: expect.stringContaining("run:shutdown") });
      expectOurText(model);
    });

    it.skipIf(process.platform !== "linux")("ends a running command when it is interrupted", async () => {
      const seconds = `290.${process.pid}`;
      const command = `sleep ${seconds} & wait`;
      const model = await startScriptedModel("anthropic", [{ tool: "bash", args: () => ({ command }) }]);
      const result = await runProgram(INTERRUPTING, model, [seconds]);
      expect(result?.output).toContain("started\ngone, run:pith_running\n");
    });
  },
);

async function runProgram(
  program: typeof PROGRAM,
  model: ScriptedModel,
  args: readonly string[] = [],
): Promise<ToolResult | undefined> {
  const home = makeFolder();
  const sdk = pathToFileURL(
    join(agentSdk?.folder ?? "", "node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs"),
  ).href;
  const runner = pathToFileURL(join(BINARY, "../runner.js")).href;
  const file = join(home, "agent.mjs");
  writeFileSync(file, program(sdk, runner, claude?.path("claude") ?? ""));
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    PITH_DATA_DIR: join(home, "pith"),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  return agentSdk?.runFile(process.execPath, [file, ...args], { cwd: makeProject(), env });
}
