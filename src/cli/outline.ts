import { PithError } from "../kernel/errors.ts";
import { JSON_OPTION, type Command } from "./command.ts";
import { maxTokens } from "./read.ts";
import { runTool } from "./run-tool.ts";

export const outline: Command = {
  name: "outline",
  summary: "Show the symbols of a file",
  usage: "FILE [--top] [--ref REF]",
  options: {
    top: { type: "boolean", about: "Only the outermost symbols." },
    ref: { type: "string", value: "REF", about: "A branch, tag or commit (default: the working tree)." },
    cursor: { type: "string", value: "CURSOR", about: "Continue where an earlier reply ended." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: [
    "pith outline src/app.ts",
    "pith outline src/app.ts --top",
    "pith outline src/app.ts --ref main --json",
  ],
  async run(context) {
    const [path, ...more] = context.positionals;
    if (path === undefined || more.length > 0)
      throw new PithError("invalid_input", "outline: name one file", { suggestion: "pith outline FILE" });
    const depth = context.flag("top") ? "top" : "all";
    const answer = await runTool(context, "get_file_outline", {
      path,
      depth,
      ref: context.text("ref"),
      cursor: context.text("cursor"),
      ...maxTokens(context.text("max-tokens")),
    });
    return answer.isError ? 1 : 0;
  },
};
