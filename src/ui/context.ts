import type { Services } from "../app/services.ts";
import { servicesIn } from "../app/window/workspace-services.ts";
import { HttpError } from "../http/body.ts";
import { createRunRows, type RunRows } from "./run-rows.ts";
import { createCallWatch, type CallWatch } from "./call-watch.ts";

/** What the routes share: the services, and what they remember between requests. */
export interface UiContext {
  readonly services: Services;
  readonly rows: RunRows;
  readonly calls: CallWatch;
  /** True if the page is for a person at this machine, who may see all projects. */
  readonly showsAll: boolean;
  /** The workspaces whose runs may be shown, that of the server first. */
  workspaces(): Promise<readonly string[]>;
  /** The services for one of these workspaces, by default that of the server. */
  servicesIn(workspace: string | undefined): Promise<Services>;
  close(): void;
}

export function createUiContext(services: Services, showsAll: boolean): UiContext {
  const { home } = services.workspaces;
  const workspaces = async (): Promise<readonly string[]> => [
    ...new Set([home, ...(await (await services.runs()).workspaces())]),
  ];
  const calls = createCallWatch(services, showsAll);
  return {
    services,
    rows: createRunRows(services, workspaces),
    calls,
    showsAll,
    workspaces,
    async servicesIn(workspace = home) {
      if (!(await workspaces()).includes(workspace)) throw new HttpError(403, "No such workspace here");
      return servicesIn(services, workspace);
    },
    close: () => calls.close(),
  };
}
