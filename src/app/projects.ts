import { basename } from "node:path";
import type { Services } from "./services.ts";
import { PithError } from "../kernel/errors.ts";
import type { ProjectSummary } from "../model/index-report.ts";
import { contains } from "../kernel/files/opened-path.ts";
import type { Workspace } from "../workspace/workspaces.ts";

/** One of several projects that a question is about. */
export interface SearchedProject {
  /** The name before its paths: that of its folder, or its project id if another project is called the same. */
  readonly name: string;
  readonly workspace: Workspace;
}

/** The projects that a question is about, if it is about several. */
export interface SearchedProjects {
  /** The argument as the caller would write it again. */
  readonly argument: string;
  readonly projects: readonly SearchedProject[];
  /** What `all` left out, such as projects outside of the allowed folders. */
  readonly leftOut: readonly string[];
}

/** The most projects of one question. Each of them is opened in turn. */
const MAX_PROJECTS = 20;

/** Returns the names in the argument `workspace` if they are several: a list, `a, b`, or `all`. */
export function severalNames(argument: unknown): "all" | readonly string[] | undefined {
  const words = Array.isArray(argument)
    ? argument.filter((one): one is string => typeof one === "string")
    : typeof argument === "string"
      ? argument.split(",")
      : [];
  const names = [...new Set(words.map((word) => word.trim()).filter(Boolean))];
  if (names.length === 1 && names[0] === "all") return "all";
  return names.length > 1 ? names : undefined;
}

/** Opens the projects that a question names, or all indexed ones that this server may serve. */
export async function openProjects(
  names: "all" | readonly string[],
  { workspaces, index }: Pick<Services, "workspaces" | "index">,
): Promise<SearchedProjects> {
  if (names !== "all") {
    if (names.length > MAX_PROJECTS)
      throw new PithError("invalid_input", `workspace: ${names.length} projects; at most ${MAX_PROJECTS}`);
    const opened = await Promise.all(names.map((name) => workspaces.open(name)));
    return { argument: names.join(","), projects: await named(opened, index), leftOut: [] };
  }
  const stored = await (await index()).projects();
  const { kept, leftOut } = await allowed(stored, workspaces);
  if (kept.length === 0)
    throw new PithError("workspace_not_registered", "No project in the allowed folders is indexed yet", {
      suggestion: "Ask without workspace, which indexes this one.",
    });
  return { argument: "all", projects: await named(kept, index), leftOut };
}

interface Choice {
  readonly kept: readonly Workspace[];
  readonly leftOut: readonly string[];
}

/**
 * Chooses the indexed projects to search, the most recently used first. Installed dependencies are no projects; of the
 * working trees of one repository and of folders inside of each other, one stands for all.
 */
async function allowed(
  stored: readonly ProjectSummary[],
  workspaces: Services["workspaces"],
): Promise<Choice> {
  const { isInPackageFolder } = await import("../workspace/packages/installed-packages.ts");
  const own = stored.filter(({ host, root }) => host === undefined && !isInPackageFolder(root));
  const isHome = ({ root }: ProjectSummary): boolean => root === workspaces.home;
  const inOrder = own.toSorted(
    (a, b) => Number(isHome(b)) - Number(isHome(a)) || b.last_used.localeCompare(a.last_used),
  );
  const kept: { readonly workspace: Workspace; readonly family: string }[] = [];
  const counts = { "not allowed": 0, "of the same repository": 0, "over the limit": 0 };
  for (const { root, family } of inOrder) {
    const workspace = await openAllowed(root, workspaces);
    const isSame = kept.some((one) => one.family === family || contains(one.workspace.path.absolute, root));
    if (workspace === "missing") continue;
    if (workspace === "not allowed") counts["not allowed"]++;
    else if (isSame) counts["of the same repository"]++;
    else if (kept.length >= MAX_PROJECTS) counts["over the limit"]++;
    else kept.push({ workspace, family });
  }
  const leftOut = Object.entries(counts).flatMap(([why, count]) => (count === 0 ? [] : [`${count} ${why}`]));
  return { kept: kept.map(({ workspace }) => workspace), leftOut };
}

async function openAllowed(
  root: string,
  workspaces: Services["workspaces"],
): Promise<Workspace | "missing" | "not allowed"> {
  try {
    return await workspaces.open(root);
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    // A folder that was removed has nothing to search; one outside of the allowed roots is counted in the reply.
    return error.code === "workspace_not_allowed" ? "not allowed" : "missing";
  }
}

/** Gives each project its name. Two folders of the same name are told apart by their project ids. */
async function named(
  opened: readonly Workspace[],
  index: Services["index"],
): Promise<readonly SearchedProject[]> {
  const names = opened.map(({ path }) => basename(path.absolute));
  const isUnique = (name: string): boolean => names.filter((one) => one === name).length === 1;
  const stored = names.every(isUnique) ? [] : await (await index()).projects();
  return opened.map((workspace, i) => {
    const name = names[i] ?? "";
    const id = stored.find(({ root }) => root === workspace.path.absolute)?.project_id;
    return { name: isUnique(name) ? name : (id ?? workspace.path.absolute), workspace };
  });
}
