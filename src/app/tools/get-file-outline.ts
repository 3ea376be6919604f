import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import { maxTokens, responseFormat, workspace } from "../common-fields.ts";
import { scopeOf, singleFile } from "../code-scope.ts";
import { choice, hidden, path, required, text } from "../schema/field.ts";
import { defineTool, READ_ONLY } from "../tool.ts";

export const getFileOutlineTool = defineTool({
  name: "get_file_outline",
  title: "Outline of a file",
  toolset: "code",
  description: "All definitions with their lines.",
  searchHint:
    "outline structure list symbols functions classes methods document overview map repository folder directory headings signatures api surface skeleton tree",
  annotations: READ_ONLY,
  fields: {
    path: required(path()),
    depth: choice(["all", "top"], "default all"),
    ref: text(),
    workspace,
    language: hidden(text()),
    response_format: responseFormat,
    max_tokens: maxTokens,
    cursor: hidden(text("from an earlier reply")),
  },
  aliases: { file_path: "path", file: "path", branch: "ref", result_id: "path", chunk_id: "path" },
  targets: { path: "path" },
  dependencies: "folders",
  // The default is chosen so that the outline of a file of 25,000 tokens costs at most 2,100.
  maxTokens: 2_000,
  async check({ language }) {
    if (language !== undefined) (await import("../../index/query/language-name.ts")).wantedLanguage(language);
  },
  async handle(args, { services, workspace: folder, signal }) {
    const index = await services.index();
    const scope = scopeOf(folder, args.path);
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
    const question = [args.path.shown, args.depth, args.ref, args.language, symbols, imports];
    const shown = services.config.security.mask_files
      ? (await import("../mask-code.ts")).maskOutline(outline)
      : outline;
    return {
      data: {
        outline: { ...shown, path: `${prefix}${shown.path}` },
        ...(found !== undefined && { package: found }),
        offset: decodeCursor(question, args.cursor),
        cursorAfter: (shown: number) => encodeCursor(question, shown),
      },
    };
  },
  render: async (data, view) => (await import("../../render/code/outline.ts")).renderOutline(data, view),
});
