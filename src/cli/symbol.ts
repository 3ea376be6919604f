import { PithError } from "../kernel/errors.ts";
import type { Command } from "./command.ts";
import { callCodeTool, CODE_OPTIONS, codeArguments, codeExitCode } from "./search.ts";

export const symbol: Command = {
  name: "symbol",
  summary: "Find definitions of a name",
  usage: "NAME [options]",
  options: CODE_OPTIONS,
  examples: [
    "pith symbol createServer",
    "pith symbol Model.save --detail context",
    "pith symbol auth::login --json",
  ],
  async run(context) {
    const [name, ...more] = context.positionals;
    if (name === undefined || more.length > 0)
      throw new PithError("invalid_input", "symbol: give one name", { suggestion: "pith symbol NAME" });
    return codeExitCode(await callCodeTool(context, "locate_symbol", { name, ...codeArguments(context) }));
  },
};
