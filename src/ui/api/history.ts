import type { HistoryPage } from "../wire.ts";
import type { Handler } from "./handler.ts";

const DEFAULT_RUNS = 60;
const MAX_RUNS = 200;

export const history: Handler = async (parameters, context): Promise<HistoryPage> => {
  const { workspaces, runs } = await context.servicesIn(parameters.optional("workspace"));
  const limit = parameters.whole("runs", { fallback: DEFAULT_RUNS, min: 1, max: MAX_RUNS });
  const { commands, files } = await (await runs()).history(workspaces.home, limit);
  return { workspace: workspaces.home, commands, files };
};
