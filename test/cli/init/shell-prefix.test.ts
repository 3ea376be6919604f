import { describe, expect, it } from "vitest";
import type { Places, Scope } from "../../../src/cli/init/client.ts";
import { CLIENTS } from "../../../src/cli/init/clients.ts";
import { inspectPrefixes } from "../../../src/cli/init/inspect.ts";
import type { Change, FileView } from "../../../src/cli/init/plan.ts";
import { planPrefixRemoval } from "../../../src/cli/init/shell-prefix.ts";

const places: Places = { workspace: "/w", home: "/home/me", platform: "linux", variables: {} };
const PROGRAM = "/data/bin/shell";
const LOCAL = "/w/.claude/settings.local.json";
const USER = "/home/me/.claude/settings.json";
/** The program as earlier versions wrote it. */
const PROGRAM_TEXT =
  "#!/bin/sh\n# Runs a script through Pith; set up by pith init --with-hooks, taken out by pith init --undo.\nnode=/usr/bin/node\n";

function viewOf(files: Readonly<Record<string, string>>): FileView {
  return { read: (path) => files[path], exists: (path) => path in files };
}

function plan(files: Readonly<Record<string, string>>, scopes: readonly Scope[]): readonly Change[] {
  return planPrefixRemoval({ clients: CLIENTS, scopes, places, program: PROGRAM }, viewOf(files));
}

function settingsWith(program: string): string {
  return JSON.stringify({ env: { CLAUDE_CODE_SHELL_PREFIX: program } });
}

describe("the shell prefix of earlier versions", () => {
  it("is removed without changing anything else", () => {
    const before =
      '{\n  // mine\n  "env": { "A": "1" }, // keep\n  "permissions": { "allow": ["Bash(npm test)"] }\n}\n';
    const written = before.replace('"A": "1"', `"A": "1", "CLAUDE_CODE_SHELL_PREFIX": "${PROGRAM}"`);
    expect(plan({ [LOCAL]: written }, ["project"])).toMatchObject([
      { file: LOCAL, after: before, state: "removed" },
    ]);
    expect(plan({ [LOCAL]: before }, ["project", "user"])).toEqual([]);
  });

  it("is found in both scopes, and under another data folder by the program's content", () => {
    const files = {
      [LOCAL]: settingsWith(PROGRAM),
      [USER]: settingsWith("/elsewhere/bin/shell"),
      "/elsewhere/bin/shell": PROGRAM_TEXT,
    };
    expect(plan(files, ["project", "user"]).map(({ file }) => file)).toEqual([LOCAL, USER]);
    expect(plan(files, ["user"]).map(({ file }) => file)).toEqual([USER]);
  });

  it("is kept if it is somebody else's program", () => {
    const files = { [LOCAL]: settingsWith("/mine"), "/mine": "#!/bin/sh\n" };
    expect(plan(files, ["project", "user"])).toEqual([]);
  });

  it("is reported by the doctor with the command that removes it, as is a file that cannot be read", () => {
    const inspect = (files: Readonly<Record<string, string>>) =>
      inspectPrefixes(CLIENTS, { places, program: PROGRAM }, viewOf(files));
    expect(inspect({})).toEqual([]);
    expect(inspect({ [USER]: settingsWith(PROGRAM) })).toMatchObject([
      { ok: false, detail: expect.stringMatching(/pith init claude-code --scope user$/) },
    ]);
    expect(inspect({ [LOCAL]: "{\n  x\n}" })).toMatchObject([
      { ok: false, detail: expect.stringContaining(`${LOCAL}:2: `) },
    ]);
  });
});
