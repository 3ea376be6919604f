import { indexSize } from "../../app/window/repository-map.ts";
import type { IndexPage } from "../wire.ts";
import type { Handler } from "./handler.ts";

export const index: Handler = async (parameters, context): Promise<IndexPage> => {
  const services = await context.servicesIn(parameters.optional("workspace"));
  const service = await services.index();
  const { workspaces, dataFolder } = services;
  const [current, projects, allowed] = await Promise.all([
    service.status({ root: workspaces.home }),
    service.projects(),
    context.workspaces(),
  ]);
  // A server for one folder does not name the others.
  const shown = projects.filter(({ root, host }) => host !== undefined || allowed.includes(root));
  return { current, projects: context.showsAll ? projects : shown, bytes: indexSize(dataFolder) };
};
