import { type Budget, MAX_TOKENS_CEILING } from "../../kernel/budget.ts";
import { argumentWords, type CallArguments, type NamedCall, toolWords } from "../../kernel/calls.ts";
import { commandWords, optionName, optionWords } from "./command-words.ts";

/** The surface on which a reply is read: MCP, a shell, or an HTTP response. */
export type Surface = "mcp" | "cli" | "http";

/** Who reads a reply. A reply names only calls that its reader can make, in the notation of the reader's surface. */
export interface Reader {
  readonly surface: Surface;
  /** The subcommand that was typed, on the command line. */
  readonly verb?: string;
  /** The tools that the MCP server of the reader offers (default: all). */
  readonly tools?: ReadonlySet<string>;
  /**
   * What stands before each match of a search if a program reads it from stdout, as from `grep`. Without it matches are
   * formatted for people.
   */
  readonly linePrefix?: readonly ("path" | "line")[];
}

/** The reader that is assumed by default: an MCP client with every tool. */
export const EVERY_TOOL: Reader = { surface: "mcp" };

/**
 * Returns a function that writes calls in the reader's notation; it returns undefined for a call that the reader cannot
 * make.
 */
export function spellFor(reader: Reader): (call: NamedCall) => string | undefined {
  return (call) => {
    if (reader.surface === "cli") return commandWords(call);
    if (reader.surface === "http") return routeWords(call);
    return reader.tools?.has(call.tool) === false ? undefined : toolWords(call);
  };
}

/** Writes arguments to add to the call that was just made, in the reader's notation. */
export function spellAgain({ surface }: Reader, args: CallArguments): string {
  return surface === "cli" ? optionWords(args) : argumentWords(args);
}

/** Returns how errors name a tool and its arguments for a reader. */
export function argumentNames({ surface, verb }: Reader): {
  tool(name: string): string;
  argument(name: string): string;
} {
  if (surface !== "cli") return { tool: (name) => name, argument: (name) => name };
  return { tool: (name) => verb ?? name, argument: optionName };
}

/** Says how to get a larger reply to the same call; undefined if it already has the largest budget. */
export function describeLargerBudget({
  reader = EVERY_TOOL,
  budget,
}: {
  readonly reader?: Reader;
  readonly budget: Budget;
}): string | undefined {
  if (budget.maxTokens >= MAX_TOKENS_CEILING) return undefined;
  if (reader.surface === "cli") return "raise --max-tokens";
  return "raise max_tokens";
}

/**
 * Says how to see lines of a file. Clients without Pith's tool `read` get only the line numbers, since they have a tool
 * of their own.
 */
export function describeReadCall(path: string, lines: string, reader: Reader = EVERY_TOOL): string {
  const call = spellFor(reader)({ tool: "read", args: { file_path: `${path}:${lines}` } });
  return call ?? `see lines ${lines} of the file`;
}

/** Writes a call as an HTTP request; undefined if there is no route for it. */
function routeWords({ tool, args = {} }: NamedCall): string | undefined {
  const { action, runId, wait_ms: waitMs, ...lines } = args;
  if (tool !== "build" || runId === undefined) return undefined;
  if (action === "stop") return `DELETE /jobs/${runId}`;
  if (action !== "log") return undefined;
  if (waitMs !== undefined) return `GET /jobs/${runId}?wait_ms=${waitMs}`;
  const query = Object.entries(lines).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `GET /jobs/${runId}/logs${query.length === 0 ? "" : `?${query.join("&")}`}`;
}
