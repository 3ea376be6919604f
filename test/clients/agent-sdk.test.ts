import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { expectOurText } from "./expectations.ts";
import { agentSdk, claude } from "./installed.ts";
import { makeProject, STEPS } from "./project.ts";
import { startScriptedModel } from "./scripted-model.ts";

/** A program as a user of the SDK writes it: the runner starts the server, the SDK gets it. */
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

describe.skipIf(agentSdk === undefined || claude === undefined)(
  "the Claude Agent SDK with the runner",
  () => {
    it("shows the model our text over HTTP, and ends with the server stopped", async () => {
      const home = makeFolder();
      const model = await startScriptedModel("anthropic", STEPS);
      const cwd = makeProject();
      const sdk = pathToFileURL(
        join(agentSdk?.folder ?? "", "node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs"),
      ).href;
      const runner = pathToFileURL(join(BINARY, "../runner.js")).href;
      const file = join(home, "agent.mjs");
      writeFileSync(file, PROGRAM(sdk, runner, claude?.path("claude") ?? ""));
      const env = {
        PATH: process.env["PATH"] ?? "",
        HOME: home,
        PITH_DATA_DIR: join(home, "pith"),
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      };
      const result = await agentSdk?.runFile(process.execPath, [file], { cwd, env });
      expect(result).toMatchObject({ status: 0, output: expect.stringContaining("run:shutdown") });
      expectOurText(model);
    });
  },
);
