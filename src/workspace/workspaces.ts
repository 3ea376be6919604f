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
  /** Opens the named workspace (an absolute path inside an allowed root), or the home one. */
  open(name?: string): Promise<Workspace>;
}

export function createWorkspaces(home: string, roots: readonly string[]): Workspaces {
  const jail = createJail([home, ...roots]);
  return {
    home,
    async open(name) {
      if (name !== undefined && !isAbsolute(name)) throw notKnown(name);
      const folder = name ?? home;
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

function notKnown(name: string): PithError {
  return new PithError("workspace_not_registered", `No workspace ${JSON.stringify(name)} is known here`, {
    suggestion: "Pass an absolute path inside the server's workspace or [server] roots.",
  });
}
