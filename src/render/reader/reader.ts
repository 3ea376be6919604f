import { MAX_TOKENS_CEILING } from "../../kernel/budget.ts";
import { argumentWords, type CallArguments, type NamedCall, toolWords } from "../../kernel/calls.ts";
import { commandWords, optionWords } from "./command-words.ts";
import type { View } from "../rendered.ts";
import { routeWords } from "./route-words.ts";

/** Where a reply is read: over MCP, in a shell, or as the answer to an HTTP request. */
export type Surface = "mcp" | "cli" | "http";

/** Who reads a reply. Only calls that the reader can make are named to them, in the words of their surface. */
export interface Reader {
  readonly surface: Surface;
  /** Over MCP: the offered tools. Absent: every tool. */
  readonly tools?: ReadonlySet<string>;
  /** In a shell: what stands before each line that was found, for programs; absent: what people read best. */
  readonly linePrefix?: readonly ("path" | "line")[];
}

/** A caller over MCP who has every tool. */
export const EVERY_TOOL: Reader = { surface: "mcp" };

/** The call in the reader's words; undefined where the reader cannot make it. */
export function spellFor(reader: Reader): (call: NamedCall) => string | undefined {
  return (call) => {
    if (reader.surface === "cli") return commandWords(call);
    if (reader.surface === "http") return routeWords(call);
    return reader.tools?.has(call.tool) === false ? undefined : toolWords(call);
  };
}

/** Arguments to add to the call that was just made. */
export function spellAgain({ surface }: Reader, args: CallArguments): string {
  return surface === "cli" ? optionWords(args) : argumentWords(args);
}

/** How to get a larger reply to the same call; undefined where it is as large as it can be. */
export function raiseBudget({
  reader = EVERY_TOOL,
  budget,
}: Pick<View, "reader" | "budget">): string | undefined {
  if (budget.maxTokens >= MAX_TOKENS_CEILING) return undefined;
  if (reader.surface === "cli") return "raise --max-tokens";
  return "raise max_tokens";
}

/** How to see lines of a file, also for readers who have a reader of files of their own. */
export function readLinesWords(path: string, lines: string, reader: Reader = EVERY_TOOL): string {
  const call = spellFor(reader)({ tool: "read", args: { file_path: `${path}:${lines}` } });
  return call ?? `see lines ${lines} of the file`;
}
