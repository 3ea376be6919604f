import { PithError } from "../kernel/errors.ts";
import type { ProjectSummary } from "../model/index-report.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";

export const projects: Command = {
  name: "projects",
  summary: "List the indexed projects, or remove one",
  usage: "[rm ID --yes] [--json]",
  details:
    "rm removes a project's index from the store, with the blobs that no other project uses. The folder itself is\n" +
    "not touched; the next search there indexes it again.",
  options: { yes: { type: "boolean", about: "Remove without asking." }, ...JSON_OPTION },
  examples: ["pith projects", "pith projects --json", "pith projects rm q2kx9d1vb7ta --yes"],
  async run(context) {
    const [verb, id, ...more] = context.positionals;
    const index = await context.openServices().index();
    const all = await index.projects();
    if (verb === undefined) {
      context.io.out(context.flag("json") ? `${JSON.stringify(all)}\n` : page(all));
      return 0;
    }
    if (verb !== "rm" || id === undefined || more.length > 0)
      throw new PithError("invalid_input", "Usage: pith projects [rm PROJECT_ID]", {
        suggestion: "pith projects lists the ids.",
      });
    return remove(context, index, wanted(all, id));
  },
};

function wanted(all: readonly ProjectSummary[], id: string): ProjectSummary {
  const project = all.find(({ project_id }) => project_id === id);
  if (project !== undefined) return project;
  throw new PithError("project_not_found", `No project ${JSON.stringify(id)} is in the store`, {
    suggestion: "pith projects lists them.",
  });
}

async function remove(
  context: Context,
  index: { removeProject(id: string): Promise<{ manifests: number; files: number; blobs: number }> },
  project: ProjectSummary,
): Promise<number> {
  if (!context.flag("yes"))
    throw new PithError("invalid_input", `projects: this removes the index of ${placeOf(project)}`, {
      suggestion: `To do it: pith projects rm ${project.project_id} --yes`,
    });
  const removed = await index.removeProject(project.project_id);
  const { manifests, files, blobs } = removed;
  context.io.out(
    context.flag("json")
      ? `${JSON.stringify({ project_id: project.project_id, ...removed })}\n`
      : `removed ${placeOf(project)}: ${manifests} refs, ${files} files, ${blobs} blobs that no other project uses\n`,
  );
  return 0;
}

function page(all: readonly ProjectSummary[]): string {
  if (all.length === 0) return "No projects yet. Index one: pith index\n";
  const lines = all.map((project) => {
    const { project_id: id, files, refs, last_used: used } = project;
    const also = refs.filter((ref) => ref !== "live");
    const refList = also.length === 0 ? "" : `  also ${also.join(", ")}`;
    return `${id}  ${used.slice(0, 10)}  ${String(files).padStart(7)} files  ${placeOf(project)}${refList}`;
  });
  return `${lines.join("\n")}\n`;
}

function placeOf({ root, host }: ProjectSummary): string {
  return host === undefined ? root : `${host}:${root}`;
}
