import { stat } from "node:fs/promises";
import type { OverviewData } from "../../render/code/overview.ts";
import type { JailedPath } from "../../workspace/jail.ts";
import { type CodeScope, mustBeSearchable, scopeOf } from "../code-scope.ts";
import type { Call } from "../tool.ts";
import { indexProgress } from "../tools/code-fields.ts";

interface AskedOverview {
  readonly ref?: string | undefined;
  readonly question?: string | undefined;
}

/** Maps a folder of the workspace, of a dependency or of another project; undefined if the path is no folder. */
export async function answerOverview(
  scope: CodeScope,
  { ref, question }: AskedOverview,
  call: Call,
): Promise<OverviewData | undefined> {
  const { services, signal } = call;
  const { root, path = ".", prefix, package: found } = scope;
  mustBeSearchable(scope);
  const index = await services.index();
  const overview = await index.overview({
    root,
    path,
    ...(ref !== undefined && { ref }),
    ...(question !== undefined && { question }),
    onProgress: indexProgress(call),
    signal,
  });
  if (overview === undefined) return undefined;
  const masked = services.config.security.mask_files
    ? (await import("../mask-code.ts")).maskOverview(overview)
    : overview;
  const { withOverviewPrefix } = await import("../code-scope.ts");
  return { overview: withOverviewPrefix(masked, prefix), ...(found !== undefined && { package: found }) };
}

/** Answers a question about the whole, such as "overview"; undefined if the text is an ordinary search. */
export async function overviewForQuery(
  query: string,
  args: { readonly path: JailedPath | undefined; readonly ref: string | undefined },
  call: Call,
): Promise<OverviewData | undefined> {
  if (call.several !== undefined) return undefined;
  const { overviewQuestion } = await import("../../index/overview/overview-question.ts");
  const asked = overviewQuestion(query);
  if (asked === undefined) return undefined;
  const { services, workspace } = call;
  const named =
    asked.folder === undefined
      ? args.path
      : await (await services.workspaces.open(workspace.absolute)).resolve(asked.folder);
  if (asked.folder !== undefined && named?.exists !== true) return undefined;
  if (named !== undefined && !(await isFolder(named))) return undefined;
  return answerOverview(scopeOf(workspace, named), { ref: args.ref }, call);
}

/** True if a path leads to a folder on disk. */
export async function isFolder({ absolute, exists }: JailedPath): Promise<boolean> {
  return exists && (await stat(absolute)).isDirectory();
}
