import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { claudeCode } from "../../src/hook/dialects/claude-code.ts";
import { codex } from "../../src/hook/dialects/codex.ts";
import { cursor } from "../../src/hook/dialects/cursor.ts";
import { gemini } from "../../src/hook/dialects/gemini.ts";
import { opencode } from "../../src/hook/dialects/opencode.ts";
import { editsInPatch } from "../../src/hook/patch-edits.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "pith-dialects-")));
writeFileSync(join(cwd, "a.ts"), "let x = 2;\n");
writeFileSync(join(cwd, "long.ts"), "x\n".repeat(600));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const file = join(cwd, "a.ts");
const edited = { kind: "edits", cwd, files: [{ path: file, before: "let x = 1;\n" }] };
const written = { kind: "edits", cwd, files: [{ path: file }] };

describe("Claude Code", () => {
  // The texts are those of Claude Code 2.1.197.
  const after = (tool_response: string) =>
    claudeCode.read({
      hook_event_name: "PostToolBatch",
      cwd,
      tool_calls: [
        {
          tool_name: "Edit",
          tool_input: { file_path: file, old_string: "x = 1", new_string: "x = 2" },
          tool_response,
        },
      ],
    });

  it("reads an edit that was made, and none that was refused", () => {
    expect(after(`The file ${file} has been updated successfully. (file state is current)`)).toEqual(edited);
    for (const refusal of [
      "PreToolUse:Edit hook error: [./guard.sh]: this file is not to be updated",
      "not in this folder, says the guard",
      "<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>",
      "<tool_use_error>String to replace not found in file.\nString: zzz</tool_use_error>",
    ])
      expect(after(refusal)).toBeUndefined();
  });
});

describe("Codex", () => {
  const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n-let x = 1;\n+let x = 2;\n*** End Patch";
  const after = (tool_name: string, command: string) =>
    codex.read({ hook_event_name: "PostToolUse", cwd, tool_name, tool_input: { command } });

  it("reads a patch, of the tool and of the program in a shell", () => {
    expect(after("apply_patch", patch)).toEqual(edited);
    expect(after("Bash", `apply_patch <<'EOF'\n${patch}\nEOF`)).toEqual(edited);
    expect(after("Bash", "ls")).toBeUndefined();
    expect(codex.read({ hook_event_name: "SessionStart", cwd })).toEqual({ kind: "start", cwd });
  });

  it("reads hunks, new files and moves", () => {
    const text = `*** Begin Patch
*** Update File: b.ts
*** Move to: c.ts
@@ function f() {
 one
-two
+2

 three
@@
+four
*** End of File
*** Add File: d.ts
+five
*** Delete File: e.ts
*** End Patch`;
    expect(editsInPatch(text)).toEqual([
      { path: "c.ts", exchange: { old: "one\ntwo\n\nthree", now: "one\n2\n\nthree", all: false } },
      { path: "c.ts", exchange: { old: "", now: "four", all: false } },
      { path: "d.ts", exchange: { old: "", now: "five", all: false } },
    ]);
  });
});

describe("Gemini CLI", () => {
  const after = (tool_name: string, tool_input: object, tool_response: object = { llmContent: "ok" }) =>
    gemini.read({ hook_event_name: "AfterTool", cwd, tool_name, tool_input, tool_response });

  it("reads edits and reads of whole files", () => {
    const exchange = { file_path: file, old_string: "x = 1", new_string: "x = 2" };
    expect(after("replace", exchange)).toEqual(edited);
    expect(after("write_file", { file_path: file, content: "" })).toEqual(written);
    expect(after("replace", exchange, { error: { message: "no" } })).toBeUndefined();
    const long = join(cwd, "long.ts");
    expect(after("read_file", { file_path: long })).toMatchObject({ kind: "read", totalLines: 601 });
    expect(after("read_file", { file_path: long, start_line: 40 })).toBeUndefined();
    expect(after("run_shell_command", { command: "ls" })).toBeUndefined();
  });
});

/** The messages have the fields that the hook executor in @cursor/sdk 1.0.32 gives them. */
describe("Cursor", () => {
  const message = (tool_name: string, tool_input: object, tool_output: object = {}) => ({
    conversation_id: "c",
    generation_id: "g",
    model: "composer",
    tool_name,
    tool_input,
    tool_output: JSON.stringify(tool_output),
    duration: 12,
    tool_use_id: "call_1",
    hook_event_name: "postToolUse",
    cursor_version: "2026.09.18",
    workspace_roots: [cwd],
  });
  const long = join(cwd, "long.ts");

  it("reads edits, and reads of whole files", () => {
    expect(cursor.read(message("Write", { file_path: file, content: "let x = 2;\n" }))).toEqual(written);
    const reading = (content_length: number) =>
      cursor.read(message("Read", { file_path: long }, { file_path: long, content_length }));
    expect(reading(1_200)).toMatchObject({ kind: "read", cwd, path: long, totalLines: 601 });
    expect(reading(80)).toBeUndefined();
    expect(cursor.read(message("Shell", { command: "ls", cwd }))).toBeUndefined();
    const start = { hook_event_name: "sessionStart", workspace_roots: [cwd] };
    expect(cursor.read(start)).toEqual({ kind: "start", cwd });
  });

  it("answers with additional context, and only with that", () => {
    const about = message("Write", { file_path: file });
    expect(cursor.write({ note: "n" }, about)).toEqual({ additional_context: "n" });
    expect(cursor.write({ replacement: "r" }, about)).toEqual({});
  });

  it("is told nothing a second time by the hooks of Claude Code, which Cursor runs too", () => {
    expect(claudeCode.read(message("Write", { file_path: file }))).toBeUndefined();
    expect(claudeCode.read({ hook_event_name: "sessionStart", workspace_roots: [cwd] })).toBeUndefined();
  });
});

describe("OpenCode", () => {
  const after = (tool: string, args: object, metadata: object = {}) =>
    opencode.read({ cwd, tool, args, output: "out", metadata });

  it("reads edits, reads and commands that succeeded and whose output is whole", () => {
    expect(after("edit", { filePath: file, oldString: "x = 1", newString: "x = 2" })).toEqual(edited);
    expect(after("write", { filePath: file, content: "" })).toEqual(written);
    expect(after("read", { filePath: join(cwd, "long.ts") })).toMatchObject({ totalLines: 601 });
    const shell = { kind: "shell", cwd, command: "make", stdout: "out", stderr: "" };
    expect(after("bash", { command: "make" }, { exit: 0, truncated: false })).toEqual(shell);
    expect(after("bash", { command: "make" }, { exit: 1 })).toBeUndefined();
    expect(after("bash", { command: "make" }, { exit: 0, truncated: true })).toBeUndefined();
    expect(after("bash", { command: "make" })).toBeUndefined();
    expect(after("glob", {})).toBeUndefined();
  });
});
