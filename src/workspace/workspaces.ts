import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { PithError } from "../kernel/errors.ts";
import { createJail } from "./jail.ts";
import type { JailedPath } from "./jail.ts";

/** A folder in which tool calls work. Paths in it can be resolved only through this object. */
export interface Workspace {
  readonly path: JailedPath;
  /** Resolves an absolute path inside an allowed root folder, or a path relative to the workspace. */
  resolve(path: string): Promise<JailedPath>;
}

export interface Workspaces {
  /** The folder for which the server was started. */
  readonly home: string;
  /** Opens a workspace by its absolute path or project id; by default the workspace of the server. */
  open(name?: string, options?: OpenOptions): Promise<Workspace>;
  /** Opens an indexed project by its id or the name of its folder; undefined if there is none that may be served. */
  find(name: string): Promise<Workspace | undefined>;
}

export interface OpenOptions {
  /** True if the given name must be a project id and not a path. */
  readonly isProject?: boolean;
}

/**
 * Creates the object that opens workspaces. `rootOf` returns the folder of a project by its id or name; without it only
 * paths are accepted.
 */
export function createWorkspaces(
  home: string,
  roots: readonly string[],
  rootOf: (projectId: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Workspaces {
  const jail = createJail([home, ...roots]);
  const openFolder = async (folder: string): Promise<Workspace> => {
    const path = await jail.resolve(folder, folder);
    await mustBeFolder(path);
    return { path, resolve: (wanted) => jail.resolve(wanted, path.absolute) };
  };
  return {
    home,
    async open(name, { isProject = false } = {}) {
      const folder = name === undefined || isAbsolute(name) ? (name ?? home) : await rootOf(name);
      if (folder === undefined) throw unknownWorkspace(name ?? home, isProject);
      return openFolder(folder);
    },
    async find(name) {
      const folder = await rootOf(name);
      return folder === undefined ? undefined : openFolder(folder);
    },
  };
}

async function mustBeFolder(path: JailedPath): Promise<void> {
  const found = path.exists ? await stat(path.absolute) : undefined;
  if (found?.isDirectory()) return;
  throw new PithError("workspace_not_registered", `The workspace ${path.absolute} is not a folder`);
}

/** Matches a project id, which contains both letters and digits, unlike the names of most folders. */
const PROJECT_ID = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,32}$/i;

function unknownWorkspace(name: string, isProject: boolean): PithError {
  if (isProject || PROJECT_ID.test(name))
    return new PithError("project_not_found", `No project ${JSON.stringify(name)} is in the store`, {
      suggestion: "Pass the absolute path of its folder.",
    });
  return new PithError("workspace_not_registered", `No workspace ${JSON.stringify(name)} is known here`, {
    suggestion: [
      {
        text: "Pass an absolute path inside the server's workspace or [server] roots, or a project id that CALL shows.",
        call: { tool: "index_status" },
      },
      { text: "Pass an absolute path inside the server's workspace or [server] roots." },
    ],
  });
}
