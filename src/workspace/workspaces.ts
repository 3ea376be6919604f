import { stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { PithError } from "../kernel/errors.ts";
import { createJail } from "./jail.ts";
import type { JailedPath } from "./jail.ts";

/** A folder that calls work in, with the jail around it. */
export interface Workspace {
  readonly path: JailedPath;
  /** A path relative to the workspace, or an absolute one inside an allowed root. */
  resolve(path: string): Promise<JailedPath>;
}

export interface Workspaces {
  /** The folder the server was started for. */
  readonly home: string;
  /** Opens the named workspace (an absolute path inside an allowed root, or a project id), or the home one. */
  open(name?: string, options?: OpenOptions): Promise<Workspace>;
}

export interface OpenOptions {
  /** The caller says that it is the id of a project. */
  readonly isProject?: boolean;
}

/** `rootOf` finds the folder of a project id; without it only paths are known. */
export function createWorkspaces(
  home: string,
  roots: readonly string[],
  rootOf: (projectId: string) => Promise<string | undefined> = () => Promise.resolve(undefined),
): Workspaces {
  const jail = createJail([home, ...roots]);
  return {
    home,
    async open(name, { isProject = false } = {}) {
      const folder = name === undefined || isAbsolute(name) ? (name ?? home) : await rootOf(name);
      if (folder === undefined) throw notKnown(name ?? home, isProject);
      const path = await jail.resolve(folder, folder);
      await mustBeFolder(path);
      return { path, resolve: (wanted) => jail.resolve(wanted, path.absolute) };
    },
  };
}

async function mustBeFolder(path: JailedPath): Promise<void> {
  const found = path.exists ? await stat(path.absolute) : undefined;
  if (found?.isDirectory()) return;
  throw new PithError("workspace_not_registered", `The workspace ${path.absolute} is not a folder`);
}

/** Ids are letters and digits, mixed; the name of a folder hardly ever is. */
const PROJECT_ID = /^(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,32}$/i;

function notKnown(name: string, isProject: boolean): PithError {
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
