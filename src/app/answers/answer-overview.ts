import { stat } from "node:fs/promises";
import { PithError } from "../../kernel/errors.ts";
import type { OverviewData } from "../../render/code/overview.ts";
import type { OverviewsData } from "../../render/code/overviews.ts";
import type { JailedPath } from "../../workspace/jail.ts";
import { type CodeScope, mustBeSearchable, scopeOf } from "../code-scope.ts";
import type { SearchedProjects } from "../projects.ts";
import type { Call } from "../tool.ts";
import { type CodeValues, indexProgress } from "../tools/code-fields.ts";
import { askProjects } from "./ask-projects.ts";

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
  args: CodeValues,
  call: Call,
): Promise<OverviewData | OverviewsData | undefined> {
  const { overviewQuestion } = await import("../../index/overview/overview-question.ts");
  const asked = overviewQuestion(query);
  if (asked === undefined) return undefined;
  const { services, workspace, several } = call;
  if (several !== undefined) return asked.folder === undefined ? overviewsOf(several, args, call) : undefined;
  const named =
    asked.folder === undefined
      ? args.path
      : await (await services.workspaces.open(workspace.absolute)).resolve(asked.folder);
  if (asked.folder !== undefined && named?.exists !== true) return undefined;
  if (named !== undefined && !(await isFolder(named))) return undefined;
  return answerOverview(scopeOf(workspace, named), { ref: args.ref }, call);
}

/** Maps each of several projects, or the same folder in each. */
async function overviewsOf(
  several: SearchedProjects,
  args: CodeValues,
  call: Call,
): Promise<OverviewsData | undefined> {
  const { answers, projects } = await askProjects(several, args, call, async (place) => {
    const answer = await answerOverview(place, { ref: args.ref }, call);
    if (answer === undefined)
      throw new PithError("file_not_found", `no indexed file in ${args.path?.shown ?? "."}`);
    const { projectId, files, metadata } = answer.overview;
    return { answer, part: { projectId, total: files, metadata } };
  });
  return { overviews: answers, projects };
}

/** True if a path leads to a folder on disk. */
export async function isFolder({ absolute, exists }: JailedPath): Promise<boolean> {
  return exists && (await stat(absolute)).isDirectory();
}
