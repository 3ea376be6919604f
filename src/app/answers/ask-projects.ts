import { PithError } from "../../kernel/errors.ts";
import type { ProjectPart, SearchedParts } from "../../render/code/hits-data.ts";
import type { SearchedProjects } from "../projects.ts";
import type { Call } from "../tool.ts";
import type { CodeValues } from "../tools/code-fields.ts";

/** The place in one of several projects that a question is about. */
export interface ProjectPlace {
  readonly name: string;
  readonly root: string;
  /** The text that the paths of the project begin with in the reply. */
  readonly prefix: string;
  /** The folder or glob that the caller named. */
  readonly path?: string;
}

interface Answered<T> {
  readonly answer: T;
  readonly part: Pick<ProjectPart, "projectId" | "total" | "metadata">;
}

interface Answers<T> {
  readonly answers: readonly T[];
  readonly places: readonly ProjectPlace[];
  readonly projects: SearchedParts;
  /** The error of the first project that could not answer. */
  readonly failed?: PithError;
}

/** Asks each project in turn. One that cannot answer does not hide what the others have; if none can, it throws. */
export async function askProjects<T>(
  { projects, leftOut }: SearchedProjects,
  args: Pick<CodeValues, "path">,
  call: Call,
  ask: (place: ProjectPlace) => Promise<Answered<T>>,
): Promise<Answers<T>> {
  const answers: T[] = [];
  const places: ProjectPlace[] = [];
  const parts: ProjectPart[] = [];
  const inside = pathIn(args);
  for (const { name, workspace } of projects) {
    const place = { name, root: workspace.path.absolute, prefix: `${name}:`, ...inside };
    const { root, prefix } = place;
    try {
      const { answer, part } = await ask(place);
      call.services.shownScopes.set(prefix, { root, prefix });
      answers.push(answer);
      places.push(place);
      parts.push({ name, root, ...part });
    } catch (error) {
      // Such as a project without the ref, or one whose index is stale under a strict policy.
      if (!(error instanceof PithError) || call.signal.aborted) throw error;
      parts.push({ name, root, error });
    }
  }
  const failed = parts.find((part) => part.error !== undefined)?.error;
  if (answers.length === 0 && failed !== undefined) throw failed;
  return { answers, places, projects: { parts, leftOut }, ...(failed !== undefined && { failed }) };
}

function pathIn({ path }: Pick<CodeValues, "path">): { readonly path?: string } {
  if (path === undefined) return {};
  if (path.scope !== undefined || path.shown.startsWith("/"))
    throw new PithError(
      "invalid_input",
      "With several projects, path is a folder or glob inside of each of them",
      { field: "path" },
    );
  return { path: path.shown };
}
