import type { PoolStatus } from "../../model/job.ts";
import { defineTool, READ_ONLY } from "../tool.ts";

/** The status that a server without a pool reports: every job runs on the machine of the server. */
const NO_POOL: PoolStatus = { workers: [], queued: 0, running: 0, localFallback: true };

export const workerStatusTool = defineTool({
  name: "worker_status",
  title: "State of the pool",
  toolset: "jobs",
  description: "The pool's workers with their slots and labels, and how many jobs wait.",
  searchHint: "workers pool queue queued jobs capacity slots remote machines status",
  annotations: READ_ONLY,
  fields: {},
  maxTokens: 1_000,
  handle: async (_args, { services }) => ({
    data: services.pool === undefined ? NO_POOL : await (await services.pool()).queue.status(),
  }),
  render: async (data, view) => (await import("../../render/run/pool.ts")).renderPool(data, view),
});
