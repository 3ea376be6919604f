import type { NamedCall } from "../../kernel/calls.ts";

/** A call as an HTTP request; undefined where no route does it. */
export function routeWords({ tool, args = {} }: NamedCall): string | undefined {
  const { action, runId, wait_ms: waitMs, ...lines } = args;
  if (tool !== "build" || runId === undefined) return undefined;
  if (action === "stop") return `DELETE /jobs/${runId}`;
  if (action !== "log") return undefined;
  if (waitMs !== undefined) return `GET /jobs/${runId}?wait_ms=${waitMs}`;
  const query = Object.entries(lines).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `GET /jobs/${runId}/logs${query.length === 0 ? "" : `?${query.join("&")}`}`;
}
