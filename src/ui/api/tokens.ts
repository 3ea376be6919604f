import { addUpUsage } from "../../model/usage-page.ts";
import type { TokensPage } from "../wire.ts";
import type { Handler } from "./handler.ts";

/** The same numbers as `pith stats`, and those of each agent. */
export const tokens: Handler = async (parameters, { services }): Promise<TokensPage> => {
  const days = parameters.whole("days", { fallback: 30, min: 1, max: 3_650 });
  return addUpUsage(await services.ledger.read(days));
};
