import { describe, expect, it } from "vitest";
import type { Places } from "../../../src/cli/init/client.ts";
import { CLIENTS } from "../../../src/cli/init/clients.ts";
import { planHooks } from "../../../src/cli/init/hook.ts";
import type { Change, FileView } from "../../../src/cli/init/plan.ts";

const places: Places = { workspace: "/w", home: "/home/me", platform: "linux", variables: {} };
const wrapper = { file: "/data/bin/shell", node: "/opt/my node/node", pith: "/opt/pith.js" };
const LOCAL = "/w/.claude/settings.local.json";

function plan(
  files: Readonly<Record<string, string>>,
  options: { undo?: boolean; scope?: "user" } = {},
): readonly Change[] {
  const view: FileView = { read: (path) => files[path], exists: (path) => path in files };
  const { undo = false, scope = "project" } = options;
  return planHooks({ clients: CLIENTS, scope, places, undo, wrapper }, view);
}

describe("the shell hook", () => {
  it("is a program and a setting that names it, beside what was there, and goes again", () => {
    const before =
      '{\n  // mine\n  "env": { "A": "1" }, // keep\n  "permissions": { "allow": ["Bash(npm test)"] }\n}\n';
    const [program, setting] = plan({ [LOCAL]: before });
    expect(program).toMatchObject({ file: "/data/bin/shell", state: "added", executable: true });
    expect(program?.after).toContain("node='/opt/my node/node'");
    expect(setting).toMatchObject({ file: LOCAL, state: "added" });
    expect(setting?.after).toBe(
      before.replace('"A": "1"', '"A": "1", "CLAUDE_CODE_SHELL_PREFIX": "/data/bin/shell"'),
    );
    const files = { [LOCAL]: setting?.after ?? "", "/data/bin/shell": program?.after ?? "" };
    expect(plan(files).map(({ state }) => state)).toEqual(["unchanged", "unchanged"]);
    expect(plan(files, { undo: true })).toMatchObject([{ file: LOCAL, after: before, state: "removed" }]);
  });

  it("stands in the user's settings with that scope, and leaves no file behind that it made", () => {
    const [, setting] = plan({}, { scope: "user" });
    expect(setting).toMatchObject({ file: "/home/me/.claude/settings.json", state: "added" });
    const files = { "/home/me/.claude/settings.json": setting?.after ?? "" };
    expect(plan(files, { undo: true, scope: "user" })).toMatchObject([
      { after: undefined, state: "removed" },
    ]);
  });

  it("does not take the place of another such program, nor take it out", () => {
    const files = { [LOCAL]: '{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/mine"}}' };
    expect(() => plan(files)).toThrow(
      /settings\.local\.json: env\.CLAUDE_CODE_SHELL_PREFIX is set to "\/mine"/,
    );
    expect(plan(files, { undo: true })).toEqual([]);
  });

  it("refuses a file that cannot be edited", () => {
    expect(() => plan({ [LOCAL]: '{\n  "env": 1,\n}' })).toThrow(`${LOCAL}: env is not an object`);
    expect(() => plan({ [LOCAL]: "{\n  x\n}" })).toThrow(`${LOCAL}:2: `);
  });
});
