import { PithError } from "../kernel/errors.ts";
import { JSON_OPTION, type Command } from "./command.ts";
import { maxTokens } from "./read.ts";
import { WORKSPACE_OPTION, workspaceArgument } from "./search.ts";
import { runTool } from "./run-tool.ts";

export const changes: Command = {
  name: "changes",
  summary: "Show which definitions changed",
  usage: "[REF..REF | REF | --staged] [options]",
  details:
    "Without a range, the working tree is compared with the last commit; REF alone is compared with the working tree.",
  options: {
    staged: { type: "boolean", about: "What is staged, instead of the working tree." },
    path: { type: "string", value: "PATH", about: "Only in this folder, or in files that match this glob." },
    ...WORKSPACE_OPTION,
    language: { type: "string", value: "NAME", about: "Only files of this language." },
    cursor: { type: "string", value: "CURSOR", about: "Continue where the last reply ended." },
    "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
    ...JSON_OPTION,
  },
  examples: ["pith changes", "pith changes main...HEAD", "pith changes --staged --json"],
  async run(context) {
    const [range = "", ...more] = context.positionals;
    if (more.length > 0)
      throw new PithError("invalid_input", "changes: give one range", {
        suggestion: "pith changes REF..REF",
      });
    const answer = await runTool(context, "search_code", {
      query: "what changed",
      changes: context.flag("staged") ? `${range} --staged`.trim() : range,
      path: context.text("path"),
      workspace: workspaceArgument(context),
      language: context.text("language"),
      cursor: context.text("cursor"),
      ...maxTokens(context.text("max-tokens")),
    });
    return answer.isError ? 2 : 0;
  },
};
