import { pluralize } from "../../kernel/pluralize.ts";
import type { ProjectPart, SearchedParts } from "./hits-data.ts";
import { freshnessNote } from "./index-notes.ts";

/** The lines that say which projects were searched, and which of them are stale, incomplete or could not answer. */
export function projectNotes(projects: SearchedParts | undefined): string[] {
  if (projects === undefined) return [];
  const { parts, leftOut } = projects;
  const found = parts.filter(({ error }) => error === undefined);
  const without = leftOut.length === 0 ? "" : `; left out: ${leftOut.join(", ")}`;
  return [
    `(${pluralize(found.length, "project")}: ${found.map(({ name }) => name).join(", ")}${without})`,
    ...parts.flatMap(exceptionOf),
  ];
}

function exceptionOf({ name, metadata, error }: ProjectPart): string[] {
  if (error !== undefined) return [`(${name}: ${error.message})`];
  if (metadata === undefined || metadata.freshness_status === "fresh") return [];
  return [freshnessNote(metadata).replace("(", `(${name}: `)];
}

/** The same facts as JSON fields. */
export function projectFields(projects: SearchedParts | undefined): Record<string, unknown> {
  if (projects === undefined) return {};
  return {
    projects: projects.parts.map(({ name, root, projectId, total, metadata, error }) => ({
      name,
      root,
      ...(projectId !== undefined && { project_id: projectId }),
      ...(total !== undefined && { total_count: total }),
      ...(metadata !== undefined && {
        freshness_status: metadata.freshness_status,
        result_completeness: metadata.result_completeness,
        ...(metadata.pending_files !== undefined && { pending_files: metadata.pending_files }),
      }),
      ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    })),
    ...(projects.leftOut.length > 0 && { projects_left_out: projects.leftOut }),
  };
}
