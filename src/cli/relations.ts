import { PithError } from "../kernel/errors.ts";
import type { Relation } from "../model/relation.ts";
import type { Command } from "./command.ts";
import { callCodeTool, CODE_OPTIONS, codeArguments, codeExitCode } from "./search.ts";

export const uses: Command = relationCommand("uses", {
  summary: "Find the places that use a definition",
  examples: ["pith uses parseQuery", "pith uses Model.save --json", "pith uses Config --path src/config"],
});

export const callers: Command = relationCommand("callers", {
  summary: "Find the functions that call a definition",
  examples: ["pith callers parseQuery", "pith callers Model.save --max-tokens 400"],
});

function relationCommand(name: Relation, about: Pick<Command, "summary" | "examples">): Command {
  return {
    name,
    usage: "NAME [options]",
    details:
      "Places that an import or the scope proves come first; ? marks those of which only the name matches. --path and --language choose the definition.",
    options: CODE_OPTIONS,
    ...about,
    async run(context) {
      const [symbol, ...more] = context.positionals;
      if (symbol === undefined || more.length > 0)
        throw new PithError("invalid_input", `${name}: give one name`, { suggestion: `pith ${name} NAME` });
      const args = { name: symbol, relation: name, ...codeArguments(context) };
      return codeExitCode(await callCodeTool(context, "locate_symbol", args));
    },
  };
}
