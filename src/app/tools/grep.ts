import { decodeCursor } from "../../kernel/cursor.ts";
import { PithError } from "../../kernel/errors.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { GrepResult } from "../../model/grep-result.ts";
import type { PruningOutcome } from "../../model/pruning.ts";
import { maxTokens } from "../common-fields.ts";
import { byDefault, choice, flag, integer, paths, patternTexts, text, texts } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";
import { FAMILIAR_ALIASES, familiarFields, IGNORED_BY_GREP, outputOf, queryOf } from "./grep-arguments.ts";

const MAX_MATCHES = 1_000;

export const grepTool = defineTool({
  name: "grep",
  title: "Search file contents",
  toolset: "files",
  description: "Lines that match a regex (ripgrep); honours ignore files.",
  searchHint:
    "grep ripgrep rg find regex regexp regular expression pattern text string word literal phrase in at across all files occurrences matches match count lines containing search case insensitive of a an the to for on by with",
  annotations: READ_ONLY,
  fields: {
    pattern: patternTexts(),
    patterns: texts("any of 1..50", 50),
    path: paths("several allowed, !test/ leaves out"),
    glob: patternTexts(),
    ignore_case: flag(),
    context_lines: byDefault(integer("", [0, 50]), 0),
    max_matches: byDefault(integer("", [1, MAX_MATCHES]), 200),
    output: byDefault(choice(["lines", "files", "count"]), "lines"),
    context_focus_question: text("keep what answers it"),
    max_tokens: maxTokens,
    cursor: text(),
    ...familiarFields,
  },
  aliases: {
    paths: "path",
    directory: "path",
    dir_path: "path",
    file_path: "path",
    include: "glob",
    query: "pattern",
    regex: "pattern",
    ...FAMILIAR_ALIASES,
  },
  ignored: IGNORED_BY_GREP,
  dependencies: "names",
  searchPaths: { path: "path", excluded: "exclude" },
  adapt(args) {
    const output = outputOf(args);
    const limit = args.head_limit;
    return {
      ...(output !== undefined && { output }),
      ...(limit !== undefined && { max_matches: limit === 0 ? MAX_MATCHES : Math.min(limit, MAX_MATCHES) }),
    };
  },
  maxTokens: 2_000,
  async check(args) {
    if ((args.pattern ?? []).length === 0 && (args.patterns ?? []).length === 0)
      throw new PithError("invalid_input", "grep: pattern is missing (a text, or patterns)");
    (await import("../../workspace/grep/grep-plan.ts")).checkQuery(queryOf(args));
  },
  async handle(args, { services, workspace, trace, maxTokens: room, signal }) {
    const targets = args.path ?? [workspace];
    // The repository ignores the folders of its dependencies, which is no reason to leave out one that is named.
    const isOutside = targets.every(({ scope }) => scope !== undefined);
    const query = isOutside ? { ...queryOf(args), noIgnore: true } : queryOf(args);
    const question = [query, targets.map(({ absolute }) => absolute)];
    const rows = decodeCursor(question, args.cursor);
    const skipped = args.offset ?? 0;
    // Each row of an earlier page holds at most one match, so this limit covers the next page.
    const maxMatches = (rows || skipped) + args.max_matches;
    const [{ grep }, { windowOf }] = await Promise.all([
      import("../../workspace/grep/grep.ts"),
      import("../../workspace/grep/grep-window.ts"),
    ]);
    const focus = args.context_focus_question;
    const options = { mask: services.config.security.mask_files, signal };
    const search = { ...query, maxMatches };
    const found = await grep(targets, search, options);
    const searchAgain = (lines: number): Promise<GrepResult> =>
      grep(targets, { ...search, beforeLines: lines, afterLines: lines }, options);
    // Matches that earlier replies showed are removed before the pruner sees the rest.
    const { result, before } = windowOf(found, {
      from: rows > 0 ? { rows } : { matches: skipped },
      maxMatches: args.max_matches,
      afterLines: query.afterLines ?? 0,
    });
    const pruner = await services.pruner();
    const pruning = await pruner.prune({
      lines: resultLines(result),
      question: focus,
      kind: "matches",
      ...(focus !== undefined && { around: await aroundMatches(result, searchAgain) }),
      maxTokens: room,
      trace,
      signal,
    });
    const data = { result: keepMatches(result, pruning), before, question, pruning };
    return { data, rawTokens: estimateTokens(resultLines(result).join("\n")) };
  },
  render: async (data, view) => (await import("../../render/files/grep.ts")).renderGrep(data, view),
});

/** Lines on each side of a match that say what it is about. */
const LINES_AROUND_MATCH = 8;

/** Finds the lines around each row of a result, by the same search with context. */
async function aroundMatches(
  { files, output }: GrepResult,
  search: (lines: number) => Promise<GrepResult>,
): Promise<readonly (readonly string[])[]> {
  if (output !== "lines") return [];
  const wide = new Map((await search(LINES_AROUND_MATCH)).files.map((file) => [file.path, file.lines]));
  return files.flatMap(({ path, lines }) => {
    const near = new Map(wide.get(path)?.map((line) => [line.number, line.text]));
    return lines.map(({ number }) =>
      Array.from({ length: 2 * LINES_AROUND_MATCH + 1 }, (_, i) => number - LINES_AROUND_MATCH + i).flatMap(
        (one) => (one === number ? [] : (near.get(one) ?? [])),
      ),
    );
  });
}

/** The matches as the lines that ripgrep itself would print. */
function resultLines({ files }: GrepResult): readonly string[] {
  return files.flatMap((file) =>
    file.lines.length === 0
      ? [file.path]
      : file.lines.map((line) => `${file.path}:${line.number}:${line.text}`),
  );
}

/** Keeps only the matches that the pruner kept. The totals stay, so that the reply can say how much is left out. */
function keepMatches(result: GrepResult, { applied, kept = [] }: PruningOutcome): GrepResult {
  if (!applied) return result;
  let row = 0;
  const isKept = (): boolean => {
    row++;
    return kept.some(([start, end]) => row >= start && row <= end);
  };
  const files = result.files.flatMap((file) => {
    if (file.lines.length === 0) return isKept() ? [file] : [];
    const lines = file.lines.filter(isKept);
    return lines.length > 0 ? [{ ...file, lines }] : [];
  });
  return { ...result, files };
}
