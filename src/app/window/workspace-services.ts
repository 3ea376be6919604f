import { createWorkspaces } from "../../workspace/workspaces.ts";
import type { Services } from "../services.ts";

/**
 * Narrows services to one folder: tools that are called with them see no other workspace, and the path jail is this
 * folder alone. The caller must have checked that the folder may be served.
 */
export function servicesIn(services: Services, workspace: string): Services {
  return { ...services, workspaces: createWorkspaces(workspace, []) };
}
