import { decodeCursor, encodeCursor } from "../../kernel/cursor.ts";
import { PithError } from "../../kernel/errors.ts";
import type { ChangesRequest } from "../../index/service.ts";
import type { ChangesData } from "../../render/code/changes.ts";
import type { Call } from "../tool.ts";
import type { CodeValues } from "../tools/code-fields.ts";

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
  if (call.several !== undefined || args.path?.scope !== undefined) return undefined;
  const { changeQuestion } = await import("../../index/changes/change-question.ts");
  const asked = changes === undefined ? changeQuestion(query) : rangeIn(changes);
  if (asked === undefined) return undefined;
  const { services, workspace, signal } = call;
  const path = args.path?.shown ?? asked.path;
  if (asked.path !== undefined) await workspacePath(asked.path, call);
  const { range, isStaged, isSinceFork } = withRef(asked, args.ref);
  const request: ChangesRequest = {
    root: workspace.absolute,
    ...(range !== undefined && { range }),
    ...(isStaged === true && { isStaged }),
    ...(isSinceFork === true && { isSinceFork }),
    ...(path !== undefined && { path }),
    ...(args.language !== undefined && { language: args.language }),
    signal,
  };
  const index = await services.index();
  try {
    const found = await index.changes(request);
    const identity = ["changes", range, isStaged, isSinceFork, path, args.language, found.files];
    const report = services.config.security.mask_files
      ? (await import("../mask-code.ts")).maskChanges(found)
      : found;
    return {
      changes: report,
      offset: decodeCursor(identity, args.cursor),
      cursorAfter: (shown) => encodeCursor(identity, shown),
    };
  } catch (error) {
    const isUnknownRef = error instanceof PithError && error.code === "ref_not_found";
    // The words after "since" or "in" are no branch or commit, so the question is not about changes between two.
    if (isUnknownRef && changes === undefined && asked.refs.length > 0 && args.ref === undefined)
      return undefined;
    throw error;
  }
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

/** A path inside of a question goes through the jail as any other. */
async function workspacePath(path: string, { services, workspace }: Call): Promise<void> {
  await (await services.workspaces.open(workspace.absolute)).resolve(path);
}
