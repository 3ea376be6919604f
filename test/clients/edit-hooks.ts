import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import type { ToolResult } from "../support/node-tools.ts";
import { faulty } from "./bystanders.ts";
import { initHooks, replaceHook } from "./hook-file.ts";
import type { Editor } from "./editors.ts";
import { type ScriptedModel, startScriptedModel, type Step } from "./scripted-model.ts";

const SOURCE = "export function tax(net: number): number {\n  return net * 2;\n}\n";
const CALLER =
  'import { tax } from "./price.ts";\n\nexport function total(): number {\n  return tax(1);\n}\n';

interface Scene {
  /** Replaces the command of the hook that `pith init` wrote. */
  readonly hook?: (home: string) => string;
  /** True if the client also has another server, a guard and something that is not permitted. */
  readonly withBystanders?: boolean;
  readonly steps: (file: string) => readonly Step[];
}

/** Runs a client with the hooks of `pith init --with-hooks` in a small repository. */
export async function runWith(
  editor: Editor,
  { hook, steps, withBystanders = false }: Scene,
): Promise<{ model: ScriptedModel; result: ToolResult | undefined; file: string }> {
  const home = makeFolder();
  const cwd = join(home, "shop");
  spawnSync("git", ["init", "-q", cwd]);
  const file = join(cwd, "price.ts");
  writeFileSync(file, SOURCE);
  writeFileSync(join(cwd, "cart.ts"), CALLER);
  spawnSync("git", ["add", "-A"], { cwd });
  spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], { cwd });
  const model = await startScriptedModel(editor.protocol, steps(file), editor.prefix);
  const start = editor.start(home, model);
  initHooks(editor.id, cwd, start.env);
  if (hook !== undefined) replaceHook(join(cwd, editor.hookFile), hook(home));
  const { args, env } = (withBystanders ? editor.bystanders?.add(start, home, cwd) : undefined) ?? start;
  const result = await editor.client?.run(editor.program, args, { cwd, env });
  return { model, result, file };
}

/** Describes what the hooks do after edits in one client; each has a file of its own, so that they are tested side by side. */
export function describeEditHooks(editor: Editor): void {
  describe(`hooks after edits in ${editor.id}`, () => {
    it.skipIf(editor.client === undefined)(
      "name a syntax error, once, beside the tool's own result",
      async () => {
        const { model, result, file } = await runWith(editor, {
          steps: (path) =>
            editor.edit(
              path,
              "export function tax(net: number): number {",
              "export function tax(net: number): number",
            ),
        });
        expect(result).toMatchObject({ status: 0 });
        expect(readFileSync(file, "utf8")).toContain("number\n  return");
        expect(model.last.body.split("price.ts:3 syntax error since this edit (of line 1)")).toHaveLength(2);
        expect(model.seen.at(-1)).toMatch(/updated|success|applied|modified/i);
      },
    );

    const { bystanders } = editor;
    it.skipIf(editor.client === undefined || bystanders === undefined)(
      "leave another server, a guard and a permission alone",
      async () => {
        if (bystanders === undefined) return;
        const { model, result, file } = await runWith(editor, {
          withBystanders: true,
          steps: (path) => [
            ...editor.edit(path, "  return net * 2;", "  return net * ;"),
            ...editor.edit(path, "  return net * ;", "  return forbidden * 2;").slice(-1),
            bystanders.denied,
            bystanders.other,
          ],
        });
        expect(result).toMatchObject({ status: 0 });
        const [edited = "", forbidden = "", denied = "", other = ""] = model.seen.slice(-4);
        expect(edited).toMatch(/updated|success|applied|modified/i);
        expect(forbidden).not.toMatch(/updated|success|applied|modified/i);
        expect(denied).toMatch(
          /policy forbids|not in workspace|within the workspace|workspace director|rule which/i,
        );
        expect(other).toContain("hello of the other server");
        expect(readFileSync(file, "utf8")).toContain("return net * ;");
        expect(model.last.body.split("price.ts:2 syntax error since this edit")).toHaveLength(2);
      },
    );

    it.skipIf(editor.client === undefined)("lose and alter no result, whatever happens to them", async () => {
      const count = 50;
      const { model, result, file } = await runWith(editor, {
        hook: (home) => faulty(home, "cat >/dev/null"),
        steps: (path) =>
          Array.from({ length: count }, (_, i) =>
            editor.edit(path, `  return net * ${2 + i};`, `  return net * ${3 + i};`).slice(i === 0 ? 0 : -1),
          ).flat(),
      });
      expect(result).toMatchObject({ status: 0 });
      expect(readFileSync(file, "utf8")).toContain(`net * ${2 + count};`);
      const edits = model.seen.slice(-count);
      expect(edits).toHaveLength(count);
      for (const seen of edits) expect(seen).toMatch(/updated|success|applied|modified/i);
      for (const seen of edits) expect(seen).not.toMatch(/nonsense|broken/);
    });
  });
}
