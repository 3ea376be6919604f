import { PithError } from "../kernel/errors.ts";
import { RELATIONS } from "../model/relation.ts";
import type { Command } from "./command.ts";
import { callCodeTool, CODE_OPTIONS, codeArguments, codeExitCode } from "./search.ts";

export const symbol: Command = {
  name: "symbol",
  summary: "Find definitions of names",
  usage: "NAME... [options]",
  details: "Several names share one budget; what does not fit is named.",
  options: {
    ...CODE_OPTIONS,
    relation: {
      type: "string",
      value: "RELATION",
      about: `Instead of the definition, its ${RELATIONS.join(", ")}.`,
    },
  },
  examples: [
    "pith symbol createServer",
    "pith symbol Model.save --detail context",
    "pith symbol auth::login createServer --json",
    "pith symbol Model.save --relation implementations",
  ],
  async run(context) {
    const name = context.positionals;
    if (name.length === 0)
      throw new PithError("invalid_input", "symbol: give a name", { suggestion: "pith symbol NAME" });
    const args = { name, relation: context.text("relation"), ...codeArguments(context) };
    return codeExitCode(await callCodeTool(context, "locate_symbol", args));
  },
};
