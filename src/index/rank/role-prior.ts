import type { RequestedRoles } from "../query/query.ts";
import type { ViewFile } from "../live/view.ts";

/**
 * Returns the score factor of a file by its role: higher if many files import it, lower for tests, examples, vendored
 * code and the like.
 */
export function rolePrior(
  { facts }: ViewFile,
  found: { readonly generated: boolean; readonly importers: number; readonly roles?: RequestedRoles },
): number {
  const { role, kind } = facts;
  const { roles } = found;
  let prior = 1 + (0.2 * Math.log(1 + found.importers)) / Math.log(51);
  // A query about tests still ranks tests a little lower, because it may mean the source code that supports tests.
  if (role.test) prior *= roles?.test === true ? 0.6 : 0.35;
  if (role.example && roles?.example !== true) prior *= 0.3;
  else if (kind === "prose" && roles?.prose !== true) prior *= 0.3;
  else if (kind === "data") prior *= 0.2;
  else if (kind === "other") prior *= 0.35;
  if (role.vendored || found.generated) prior *= 0.4;
  if (role.legacy && roles?.legacy !== true) prior *= 0.6;
  if (role.declarations) prior *= 0.7;
  return prior;
}
