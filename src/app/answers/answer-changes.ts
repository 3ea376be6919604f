import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import { PithError } from "../../kernel/errors.ts";
import type { ChangesRequest } from "../../index/service.ts";
import type { ChangeReport } from "../../model/changes.ts";
import type { ChangesData } from "../../render/code/changes/changes.ts";
import type { Call } from "../tool.ts";
import type { CodeValues } from "../tools/code-fields.ts";
import { askProjects } from "./ask-projects.ts";

/** The form of a range that the shell command passes on, beside what a question may say in words. */
export interface AskedChanges {
  readonly query: string;
  readonly changes?: string | undefined;
}

/**
 * Answers a question about changes by definition; undefined if the text is an ordinary search. A text that only looks
 * like such a question, because git does not know the branch or commit in it, is searched for as well.
 */
export async function answerChanges(
  { query, changes }: AskedChanges,
  args: CodeValues,
  call: Call,
): Promise<ChangesData | undefined> {
  if (args.path?.scope !== undefined) return undefined;
  const { changeQuestion } = await import("../../index/changes/change-question.ts");
  const asked = changes === undefined ? changeQuestion(query) : rangeIn(changes);
  if (asked === undefined) return undefined;
  const path = args.path?.shown ?? asked.path;
  const { range, isStaged, isSinceFork } = withRef(asked, args.ref);
  const request = {
    ...(range !== undefined && { range }),
    ...(isStaged === true && { isStaged }),
    ...(isSinceFork === true && { isSinceFork }),
    ...(path !== undefined && { path }),
    ...(args.language !== undefined && { language: args.language }),
    signal: call.signal,
  };
  try {
    const found = await compare(request, args, call, asked.path);
    const identity = ["changes", range, isStaged, isSinceFork, path, args.language, found.changes.files];
    return {
      ...found,
      offset: decodeCursor(identity, args.cursor),
      cursorAfter: (shown) => encodeCursor(identity, shown),
    };
  } catch (error) {
    const isUnknownRef =
      error instanceof PithError && error.code === "ref_not_found" && error.data["shallow"] !== true;
    // The words after "since" or "in" are no branch or commit, so the question is not about changes between two.
    if (isUnknownRef && changes === undefined && asked.refs.length > 0 && args.ref === undefined)
      return undefined;
    throw error;
  }
}

/** Compares the two states in the workspace, or in each of several projects. */
async function compare(
  request: Omit<ChangesRequest, "root">,
  args: CodeValues,
  call: Call,
  askedPath: string | undefined,
): Promise<Pick<ChangesData, "changes" | "projects">> {
  const { services, workspace, several } = call;
  const index = await services.index();
  const compareIn = async (root: string): Promise<ChangeReport> => {
    if (askedPath !== undefined) await (await services.workspaces.open(root)).resolve(askedPath);
    const found = await index.changes({ ...request, root });
    return services.config.security.mask_files ? (await import("../mask-code.ts")).maskChanges(found) : found;
  };
  if (several === undefined) return { changes: await compareIn(workspace.absolute) };
  const { answers, projects } = await askProjects(several, args, call, async ({ name, root }) => {
    const report = await compareIn(root);
    return {
      answer: { project: name, report },
      part: { total: report.files.length + report.folded.length },
    };
  });
  const { mergeChanges } = await import("./merge-changes.ts");
  return { changes: mergeChanges(answers), projects };
}

/** Reads the range of the shell command: `A..B`, `A`, `--staged`, or nothing for the working tree. */
function rangeIn(text: string) {
  const isStaged = /(?:^|\s)--staged(?:\s|$)/.test(text);
  const range = text.replace("--staged", "").trim();
  return {
    refs: [],
    path: undefined,
    isSinceFork: false,
    ...(range !== "" && { range }),
    ...(isStaged && { isStaged }),
  };
}

type Asked = Pick<ChangesRequest, "range" | "isStaged" | "isSinceFork">;

/**
 * Applies the argument `ref`, which names the later state: with a start in the question, what changed from there to it,
 * otherwise what its last commit changed. A ref may be a range itself.
 */
function withRef(asked: Asked, ref: string | undefined): Asked {
  if (ref === undefined || ref === "" || ref === "live") return asked;
  if (ref.includes("..")) return { range: ref };
  if (asked.range === undefined) return { range: `${ref}~1..${ref}` };
  if (asked.range.includes("..")) return asked;
  return { range: `${asked.range}${asked.isSinceFork === true ? "..." : ".."}${ref}` };
}
