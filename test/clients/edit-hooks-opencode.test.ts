import { expect, it } from "vitest";
import type { Step } from "./scripted-model.ts";
import { describeEditHooks, runWith } from "./edit-hooks.ts";
import { editorOf } from "./editors.ts";

const editor = editorOf("opencode");
describeEditHooks(editor);

it.skipIf(editor.client === undefined)(
  "OpenCode is shown the reply about a long output, and a short one as it is",
  async () => {
    const bash = (command: string): Step => ({ tool: "bash", args: () => ({ command, description: "run" }) });
    const { model } = await runWith(editor, {
      steps: () => [bash("seq -f 'line %g' 1 1500"), bash("echo short")],
    });
    expect(model.seen[0]).toMatch(/^ok exit 0 1500 lines run \w+\n/);
    expect(model.seen[1]).toMatch(/^short\s*$/);
  },
);
