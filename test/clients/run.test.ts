import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { claude, codex } from "./installed.ts";
import { makeProject } from "./project.ts";
import { startScriptedModel, type ScriptedModel, type Step } from "./scripted-model.ts";
import { scriptedClaude, scriptedCodex } from "./wiring.ts";

/** An agent that reads a file and then runs the tests. */
const STEPS: readonly Step[] = [
  { tool: "read", args: () => ({ file_path: "package.json" }) },
  { tool: "build", args: () => ({ action: "exec", tool: "npm test" }) },
];

const AGENTS = [
  [
    "Claude Code",
    claude,
    "anthropic",
    "mcp__pith__",
    (home: string, model: ScriptedModel) => {
      const { args, env } = scriptedClaude(home, model);
      return { argv: [claude?.path("claude") ?? "", "-p", "go", ...args], env };
    },
  ],
  [
    "Codex",
    codex,
    "openai",
    "",
    (home: string, model: ScriptedModel) => {
      const { args, env } = scriptedCodex(home, model);
      return {
        argv: [codex?.path("codex") ?? "", "exec", "--skip-git-repo-check", "-m", "scripted", ...args, "go"],
        env,
      };
    },
  ],
] as const;

describe.each(AGENTS)("pith run -- %s, with nobody to ask", (_, client, dialect, prefix, agentOf) => {
  it.skipIf(client === undefined).each([
    [[], false],
    [["--allow-run"], true],
  ] as const)("grants what it documents: %j", async (flags, mayRun) => {
    const home = makeFolder();
    const model = await startScriptedModel(dialect, STEPS, prefix);
    const { argv, env } = agentOf(home, model);
    const result = await client?.runFile(
      process.execPath,
      [BINARY, "run", "--require", ...flags, "--", ...argv],
      {
        cwd: makeProject(),
        env,
      },
    );
    expect(result).toMatchObject({ status: 0 });
    const [file = "", tests = ""] = model.seen;
    expect(file).toContain('"name":"shop"');
    if (mayRun) expect(tests).toMatch(/^FAIL .*1\/1 failed/m);
    else expect(tests).not.toContain("FAIL");
  });
});
