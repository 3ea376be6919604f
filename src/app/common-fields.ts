import { MAX_TOKENS_CEILING } from "../kernel/budget.ts";
import { choice, folders, hidden, integer } from "./schema/field.ts";

export const FORMATS = ["text", "json", "markdown"] as const;

/** The smallest allowed value of `max_tokens`; a smaller reply could not even say what it left out. */
const MIN_TOKENS = 100;

/** Arguments that some tools show in their schemas. Every tool accepts them. */
export const responseFormat = choice(FORMATS);
export const maxTokens = integer("", [MIN_TOKENS, MAX_TOKENS_CEILING]);
export const workspace = folders("root folder");

/** Arguments that every tool accepts, whether or not its schema shows them. */
export const COMMON_FIELDS = {
  response_format: hidden(responseFormat),
  max_tokens: hidden(maxTokens),
  workspace: hidden(workspace),
};

/** Other names of the argument `workspace`, whose value is a project id. */
export const PROJECT_NAMES = ["project_id", "repository_id"] as const;

export const COMMON_ALIASES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PROJECT_NAMES.map((name) => [name, "workspace"])),
  format: "response_format",
};
