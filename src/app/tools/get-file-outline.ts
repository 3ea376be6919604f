import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import { maxTokens, responseFormat, workspace } from "../common-fields.ts";
import { scopeOf, singleFile } from "../code-scope.ts";
import type { OutlineReply } from "../../render/code/outline.ts";
import type { OverviewData } from "../../render/code/overview.ts";
import { choice, hidden, path, text } from "../schema/field.ts";
import { defineTool, READ_ONLY, type Reply } from "../tool.ts";
import { answerOverview, isFolder } from "../answers/answer-overview.ts";

export const getFileOutlineTool = defineTool({
  name: "get_file_outline",
  title: "Outline of a file",
  toolset: "code",
  description: "All definitions with line numbers.",
  searchHint:
    "outline structure layout shape list all symbols definitions declarations functions classes class methods members fields properties exports exported public of toc table document source code module package script summary overview map repository repo folder directory headings sections signatures api surface skeleton bodies tree a an the to for on by with",
  annotations: READ_ONLY,
  fields: {
    path: path(),
    depth: choice(["all", "top"], "default all"),
    ref: text(),
    workspace,
    language: hidden(text()),
    response_format: responseFormat,
    max_tokens: maxTokens,
    cursor: hidden(text("from an earlier reply")),
    context_focus_question: hidden(text("a question to which the map of a folder is fitted")),
  },
  aliases: { file_path: "path", file: "path", branch: "ref", result_id: "path", chunk_id: "path" },
  targets: { path: "path" },
  dependencies: "folders",
  // The default is chosen so that the outline of a file of 25,000 tokens costs at most 2,100.
  maxTokens: 2_000,
  async check({ language }) {
    if (language !== undefined) (await import("../../index/query/language-name.ts")).wantedLanguage(language);
  },
  async handle(args, call): Promise<Reply<OutlineReply | OverviewData>> {
    const { services, workspace: folder, signal } = call;
    const { ref, context_focus_question: question } = args;
    const scope = scopeOf(folder, args.path);
    const isFile = args.path?.exists === true && !(await isFolder(args.path));
    const map = isFile ? undefined : await answerOverview(scope, { ref, question }, call);
    if (map !== undefined) return { data: map };
    const index = await services.index();
    const { prefix, package: found } = scope;
    const alone = found?.isFile === true;
    const { root, path: inside = "." } = alone ? singleFile(scope) : scope;
    const outline = await index.outline({
      root,
      path: inside,
      isAlone: alone,
      depth: args.depth ?? "all",
      ...(args.ref !== undefined && { ref: args.ref }),
      ...(args.language !== undefined && { language: args.language }),
      signal,
    });
    // A cursor is valid only for the same outline, so it is bound to the symbols and becomes invalid when the file is
    // edited.
    const { symbols, imports } = outline;
    const identity = [args.path?.shown, args.depth, args.ref, args.language, symbols, imports];
    const shown = services.config.security.mask_files
      ? (await import("../mask-code.ts")).maskOutline(outline)
      : outline;
    return {
      data: {
        outline: { ...shown, path: `${prefix}${shown.path}` },
        ...(found !== undefined && { package: found }),
        offset: decodeCursor(identity, args.cursor),
        cursorAfter: (shown: number) => encodeCursor(identity, shown),
      },
    };
  },
  render: async (data, view) =>
    "overview" in data
      ? (await import("../../render/code/overview.ts")).renderOverview(data, view)
      : (await import("../../render/code/outline.ts")).renderOutline(data, view),
});
