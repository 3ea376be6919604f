import { resolve } from "node:path";
import { PithError } from "../kernel/errors.ts";
import type { Answer } from "../app/pipeline.ts";
import { JSON_OPTION, type Command, type Context, type Options } from "./command.ts";
import { createBar } from "./progress-bar.ts";
import { maxTokens } from "./read.ts";
import { runTool } from "./run-tool.ts";

/** Options shared by the search and symbol commands. */
export const WORKSPACE_OPTION: Options = {
  workspace: {
    type: "string",
    value: "LIST",
    about: "Search these folders or projects (a,b), or all indexed projects (all).",
  },
};

export const CODE_OPTIONS: Options = {
  path: { type: "string", value: "PATH", about: "Only in this folder, or in files that match this glob." },
  ...WORKSPACE_OPTION,
  language: { type: "string", value: "NAME", about: "Only files of this language." },
  kind: { type: "string", value: "KIND", about: "Only definitions of this kind: fn, class, type, const …" },
  ref: { type: "string", value: "REF", about: "A branch, tag or commit (default: the working tree)." },
  limit: { type: "string", value: "N", short: "n", about: "At most this many results (default 10)." },
  detail: { type: "string", value: "LEVEL", about: "location, signature, concise, context or detailed." },
  explain: { type: "string", value: "LEVEL", about: "Explain the ranking: basic or full." },
  strict: { type: "boolean", about: "Fail when the index is not up to date." },
  cursor: { type: "string", value: "CURSOR", about: "Continue where the last reply ended." },
  "max-tokens": { type: "string", value: "N", about: "At most this many tokens." },
  ...JSON_OPTION,
};

/** Returns the folders and projects to search; a folder such as `../other` is one of the shell. */
export function workspaceArgument(context: Context): string | undefined {
  const isRelative = (name: string): boolean => /^\.{1,2}$|^(?!\/).*[/\\]/u.test(name);
  return context
    .text("workspace")
    ?.split(",")
    .map((name) => (isRelative(name.trim()) ? resolve(context.environment.cwd, name.trim()) : name))
    .join(",");
}

/** Converts the options to arguments of a tool. */
export function codeArguments(context: Context): Record<string, unknown> {
  return {
    path: context.text("path"),
    workspace: workspaceArgument(context),
    language: context.text("language"),
    kind: context.text("kind"),
    ref: context.text("ref"),
    limit: context.text("limit"),
    detail_level: context.text("detail"),
    ranking_explain_level: context.text("explain"),
    freshness_policy: context.flag("strict") ? "strict" : undefined,
    cursor: context.text("cursor"),
    ...maxTokens(context.text("max-tokens")),
  };
}

/**
 * How long a command waits, with a progress bar, until a folder is indexed for the first time. After its answer it
 * exits, so indexing cannot go on in the background.
 */
const FIRST_INDEX_MS = 60_000;

/** Calls one of the tools that search code, and prints its answer. */
export async function callCodeTool(
  context: Context,
  tool: "search_code" | "locate_symbol",
  args: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  const bar = createBar(context);
  return runTool(context, tool, args, {
    flags: { "index.time_budget_ms": FIRST_INDEX_MS, "server.answer_timeout_ms": 2 * FIRST_INDEX_MS },
    progress: (_message, done, total) => bar.show(done ?? 0, total ?? 0),
    beforeAnswer: () => bar.clear(),
  });
}

/** Exit codes as in grep: 0 for a result, 1 for none, 2 for an error. */
export function codeExitCode({ isError, meta }: Answer): number {
  return isError ? 2 : meta["total"] === 0 ? 1 : 0;
}

export const search: Command = {
  name: "search",
  summary: "Find code by question, name, path or phrase",
  usage: "QUERY… [options]",
  options: {
    ...CODE_OPTIONS,
    mode: { type: "string", value: "MODE", about: "auto, lexical, semantic or hybrid (with embeddings)." },
  },
  examples: [
    "pith search how are passwords hashed",
    "pith search JoinSet --path src",
    "pith search '\"connection reset\"'",
  ],
  async run(context) {
    const query = [...context.positionals, ...context.rest].join(" ");
    if (query.trim() === "")
      throw new PithError("invalid_input", "search: say what to look for", {
        suggestion: "pith search QUERY",
      });
    const args = { query, ...codeArguments(context), mode: context.text("mode") };
    return codeExitCode(await callCodeTool(context, "search_code", args));
  },
};
