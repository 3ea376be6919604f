import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { processesNaming, untilNoneNames } from "../support/processes.ts";
import { expectOurText } from "./expectations.ts";
import { claude, codex, gemini, opencode } from "./installed.ts";
import { makeProject, STEPS } from "./project.ts";
import { startScriptedModel } from "./scripted-model.ts";
import { claudeArgs, codexArgs, geminiArgs, opencodeArgs } from "./wiring.ts";

const CLIENTS = [
  ["Claude Code", claude, "claude", "anthropic", claudeArgs, "mcp__pith__"],
  ["Codex", codex, "codex", "openai", codexArgs, ""],
  ["Gemini CLI", gemini, "gemini", "gemini", geminiArgs, "mcp_pith_"],
  ["OpenCode", opencode, "opencode", "anthropic", opencodeArgs, "pith_"],
] as const;

describe.each(CLIENTS)("%s", (_, client, program, dialect, argumentsFor, prefix) => {
  it.skipIf(client === undefined)(
    "shows the model our text, whole and once, and leaves nothing running",
    { timeout: 600_000 },
    async () => {
      const home = makeFolder();
      const model = await startScriptedModel(dialect, STEPS, prefix);
      const { args, env } = argumentsFor(home, model);
      const result = await client?.run(program, args, { cwd: makeProject(), env });
      expect(result).toMatchObject({ status: 0, output: expect.stringContaining("done") });
      expectOurText(model);
      await untilNoneNames(join(home, "pith"));
    },
  );

  it.skipIf(client === undefined || process.platform !== "linux")(
    "leaves no server behind when it is killed",
    { timeout: 600_000 },
    async () => {
      const home = makeFolder();
      const model = await startScriptedModel(
        dialect,
        [{ tool: "bash", args: () => ({ command: "sleep 300", timeout_ms: 5_000 }) }],
        prefix,
      );
      const { args, env } = argumentsFor(home, model);
      const child = spawn(client?.path(program) ?? "", args, { cwd: makeProject(), env, stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      while (!processesNaming(join(home, "pith")).some(({ command }) => command.includes("sleep"))) {
        expect({ ended: child.exitCode, asked: model.seen }).toMatchObject({ ended: null });
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      child.kill("SIGKILL");
      await once(child, "close");
      // The run itself continues by design until its own timeout ends it.
      await untilNoneNames(join(home, "pith"));
    },
  );
});
