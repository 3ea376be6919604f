import { MAX_TOKENS_CEILING } from "../kernel/budget.ts";
import { choice, hidden, integer, path } from "./schema/field.ts";

export const FORMATS = ["text", "json", "markdown"] as const;

/** A reply below this cannot even say what it left out. */
const LEAST_TOKENS = 100;

/** Listed by a tool that shows them; every tool accepts them all the same. */
export const responseFormat = choice(FORMATS);
export const maxTokens = integer("", [LEAST_TOKENS, MAX_TOKENS_CEILING]);
export const workspace = path("root folder");

/** Accepted by every tool, listed or not. */
export const COMMON_FIELDS = {
  response_format: hidden(responseFormat),
  max_tokens: hidden(maxTokens),
  workspace: hidden(workspace),
};

/** Other names of `workspace` that say that it is a project's id. */
export const PROJECT_NAMES = ["project_id", "repository_id"] as const;

export const COMMON_ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PROJECT_NAMES.map((name) => [name, "workspace"])),
  format: "response_format",
};
