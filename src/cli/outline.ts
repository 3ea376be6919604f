import { PithError } from "../kernel/errors.ts";
import { JSON_OPTION, type Command } from "./command.ts";
import { maxTokens } from "./read.ts";
import { runTool } from "./run-tool.ts";

export const outline: Command = {
  name: "outline",
  summary: "Show the symbols of a file, or a map of a folder",
  usage: "[FILE | FOLDER] [--top] [--ref REF]",
  details: "Without a path, it maps the current folder.",
  options: {
    top: { type: "boolean", about: "Only the outermost symbols." },
    ref: { type: "string", value: "REF", about: "A branch, tag or commit (default: the working tree)." },
    focus: { type: "string", value: "QUESTION", about: "Fit the map of a folder to a question." },
    cursor: { type: "string", value: "CURSOR", about: "Continue where an earlier reply ended." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: ["pith outline src/app.ts", "pith outline src", "pith outline src/app.ts --ref main --json"],
  async run(context) {
    const [path, ...more] = context.positionals;
    if (more.length > 0)
      throw new PithError("invalid_input", "outline: name one file or folder", {
        suggestion: "pith outline PATH",
      });
    const depth = context.flag("top") ? "top" : "all";
    const answer = await runTool(context, "get_file_outline", {
      path,
      depth,
      ref: context.text("ref"),
      context_focus_question: context.text("focus"),
      cursor: context.text("cursor"),
      ...maxTokens(context.text("max-tokens")),
    });
    return answer.isError ? 1 : 0;
  },
};
