import { expect, it } from "vitest";
import { describeEditHooks, runWith } from "./edit-hooks.ts";
import { editorOf } from "./editors.ts";

const editor = editorOf("claude-code");
describeEditHooks(editor);

it.skipIf(editor.client === undefined)(
  "Claude Code is told which callers did not follow, from the index",
  async () => {
    const { model } = await runWith(editor, {
      steps: (path) => [
        { tool: "mcp__pith__search_code", args: () => ({ query: "tax" }) },
        ...editor.edit(path, "tax(net: number)", "tax(net: number, rate: number)"),
      ],
    });
    expect(model.last.body).toContain("still used outside: cart.ts:4 total");
  },
);
