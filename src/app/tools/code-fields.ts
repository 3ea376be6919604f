import type { Config } from "../../config/keys.ts";
import type { CallArguments } from "../../kernel/calls.ts";
import type { CodeAnswer, DetailLevel } from "../../model/hit.ts";
import type { HitsData } from "../../render/code/hits-data.ts";
import { scopeOf } from "../code-scope.ts";
import type { Call } from "../tool.ts";
import { maxTokens, responseFormat, workspace } from "../common-fields.ts";
import { byDefault, choice, flag, hidden, integer, path, text, type Values } from "../schema/field.ts";

const DETAIL_LEVELS = ["location", "signature", "concise", "context", "detailed"] as const;

/** The arguments that the tools search_code and locate_symbol share. */
export const codeFields = {
  kind: text(),
  language: text(),
  path: path("folder or glob"),
  ref: text(),
  workspace,
  limit: byDefault(integer("", [1, 50]), 10),
  detail_level: choice(DETAIL_LEVELS, "default signature"),
  response_format: responseFormat,
  // Only programs set these three arguments, so showing them would waste tokens of every model.
  compact: hidden(flag()),
  freshness_policy: hidden(choice(["strict", "balanced", "best_effort"])),
  ranking_explain_level: hidden(choice(["off", "basic", "full"])),
  max_tokens: maxTokens,
  cursor: text(),
};

/** Other names of the arguments, as similar tools of other agents call them. */
export const CODE_ALIASES = {
  directory: "path",
  folder: "path",
  glob: "path",
  file_type: "language",
  branch: "ref",
} as const;

export type CodeValues = Values<typeof codeFields>;

export type CodeRequestOf = ReturnType<typeof codeRequest> & {
  readonly root: string;
  readonly path?: string;
  readonly offset: number;
};

/** Builds the request to the code index from the arguments of a tool, without the place and the page. */
export function codeRequest(args: CodeValues, config: Config) {
  const { kind, language, ref } = args;
  const level: DetailLevel = args.detail_level ?? "signature";
  return {
    ...(kind !== undefined && { kind }),
    ...(language !== undefined && { language }),
    ...(ref !== undefined && { ref }),
    limit: args.limit,
    level,
    policy: args.freshness_policy ?? config.query.freshness_policy,
  };
}

/** How the caller wants the results of a search shown. */
export function shownAs(
  args: CodeValues,
  config: Config,
): Pick<HitsData, "level" | "compact" | "explain" | "kind"> {
  return {
    level: args.detail_level ?? "signature",
    compact: args.compact ?? false,
    explain: args.ranking_explain_level ?? config.query.ranking_explain_level,
    ...(args.kind !== undefined && args.kind !== "" && { kind: args.kind }),
  };
}

/** The arguments that decide what a search finds, as a call for more of its results repeats them. */
export function filtersOf(
  { kind, language, path: place, ref }: CodeValues,
  { several }: Call,
): CallArguments {
  return {
    ...(several !== undefined && { workspace: several.argument }),
    ...(kind !== undefined && { kind }),
    ...(language !== undefined && { language }),
    ...(place !== undefined && { path: place.shown }),
    ...(ref !== undefined && { ref }),
  };
}

/** Throws for an unknown kind or an invalid glob before anything is searched. */
export async function checkCodeFields({ kind, path: place }: CodeValues): Promise<void> {
  if (kind === undefined && place === undefined) return;
  const [{ kindsNamed }, { fileFilter }] = await Promise.all([
    import("../../index/query/kinds.ts"),
    import("../../index/query/filter.ts"),
  ]);
  kindsNamed(kind);
  const within = place === undefined ? undefined : (scopeOf(place, place).path ?? ".");
  if (within !== undefined) fileFilter({ path: within });
}

/** Returns a function that reports the progress of the first indexing to the client. */
export function indexProgress(call: Pick<Call, "progress">): (done: number, total: number) => void {
  return (done, total) => call.progress("indexing", done, total);
}

/** The arguments that identify a search, without page and format. A cursor is valid only for the same search. */
export function fingerprint(
  question: string,
  { kind, language, path: place, ref }: CodeValues,
): readonly unknown[] {
  return [question, kind, language, place?.shown, ref];
}

/** Masks the secrets in the results of a code search, unless masking is switched off. */
export async function maskedAnswer(
  answer: CodeAnswer,
  root: string,
  { security }: Config,
): Promise<CodeAnswer> {
  return security.mask_files ? (await import("../mask-code.ts")).maskAnswer(answer, root) : answer;
}
