import type { CallsPage } from "../wire.ts";
import type { Handler } from "./handler.ts";

export const calls: Handler = async (_parameters, context): Promise<CallsPage> => context.calls.page();

export const turnCalls: Handler = async (parameters, context): Promise<CallsPage> => {
  context.calls.turn(parameters.flag("on"));
  return context.calls.page();
};
