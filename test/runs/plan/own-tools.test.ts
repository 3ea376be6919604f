import { describe, expect, it } from "vitest";
import { folderFacts } from "../../../src/runs/plan/folder-facts.ts";
import { listOwnTools, planOwnTool } from "../../../src/runs/plan/own-tools.ts";
import type { OwnToolSources } from "../../../src/runs/plan/own-tools.ts";
import { makeFolder } from "../../support/folder.ts";

const TASKS = `{
  // what the editor runs
  "tasks": [
    { "label": "Mix all", "type": "shell", "command": "sh", "args": ["mix it.sh", "--all"], "problemMatcher": "$gcc" },
    { "label": "echo this", "type": "shell", "command": "curl example.test" },
    { "label": "Deploy", "type": "shell", "command": "deploy \${input:target}" },
    { "label": "In a folder", "type": "process", "command": "make", "options": { "cwd": "\${workspaceFolder}/sub dir", "env": { "A": "b c" } } },
    { "label": "Both", "dependsOn": ["Mix all", "npm: test"] },
    { "label": "npm: test", "type": "npm", "script": "test" },
    { "label": "Circle", "dependsOn": "Circle" },
    { "type": "shell", "command": "nameless" },
  ]
}`;

function sources(tools: OwnToolSources["tools"] = []): OwnToolSources {
  const root = makeFolder({ ".vscode/tasks.json": TASKS, "acme.json": "{}" });
  return { tools, cwd: root, workspace: root, path: "/usr/bin:/bin" };
}

describe("tools of a workspace", () => {
  it("runs a described tool's command with its own parser", async () => {
    const own = sources([
      { name: "acme", file: "pith.toml", table: { command: "acme-lint .", problem_matcher: "$gcc" } },
      { name: "words", file: "pith.toml", table: { command: ["acme", "a b"] } },
    ]);
    expect(await planOwnTool("acme", ["--fix"], own)).toMatchObject({
      argv: ["acme-lint", ".", "--fix"],
      tool: "acme",
      expected: ["acme"],
    });
    expect(await planOwnTool("words", [], own)).toMatchObject({ argv: ["acme", "a b"] });
    expect(await planOwnTool("npm.test", [], own)).toBeUndefined();
  });

  it("runs a task by its label", async () => {
    const own = sources();
    expect(await planOwnTool("Mix all", [], own)).toMatchObject({
      argv: ["sh", "mix it.sh", "--all"],
      expected: ["gcc"],
    });
    expect((await planOwnTool("Both", [], own))?.display).toBe("sh 'mix it.sh' --all && npm run test");
    expect((await planOwnTool("In a folder", [], own))?.display).toBe(
      `cd '${own.workspace}/sub dir' && A='b c' make`,
    );
  });

  it("takes no label for a command line that was asked for", async () => {
    const own = sources();
    expect(await planOwnTool("echo this", [], own)).toBeUndefined();
    expect(await planOwnTool("task:echo this", [], own)).toMatchObject({ argv: ["curl", "example.test"] });
  });

  it("says why only the editor can run a task", async () => {
    await expect(planOwnTool("Deploy", [], sources())).rejects.toThrow("uses ${input:target}");
    await expect(planOwnTool("Circle", [], sources())).rejects.toThrow("depends on itself");
  });

  it("lists fitting tools, other tools, tasks, and what is wrong", async () => {
    const own = sources([
      { name: "acme", file: "pith.toml", table: { command: "acme-lint .", detect: ["acme.json"] } },
      { name: "other", file: "pith.toml", table: { command: "x", detect: ["*.other"] } },
      { name: "wrong", file: "pith.toml", table: { comand: "x" } },
    ]);
    expect(await listOwnTools(await folderFacts(own.cwd, own.workspace), own)).toEqual({
      detected: [
        {
          name: "acme",
          description: "[tools.acme] of pith.toml",
          why: "acme.json is here",
          command: "acme-lint .",
        },
      ],
      others: ["other"],
      tasks: ["Mix all", "task:echo this", "In a folder", "Both", "npm: test"],
      problems: ["pith.toml: tools.wrong.comand: unknown key"],
    });
  });
});
