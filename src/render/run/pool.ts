import { pluralize } from "../../kernel/pluralize.ts";
import type { PoolStatus, PoolWorker } from "../../model/job.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";

/** Writes the state of the pool of worker machines: one line for the whole pool, and one per worker. */
export function renderPool(status: PoolStatus, { format, budget, reader }: View): Rendered {
  const fields = poolFields(status);
  const meta = { pool: fields };
  if (format === "json") return jsonReply(fields, { meta });
  const head = headOf(status);
  budget.reserve(head);
  const lines: string[] = [];
  for (const worker of status.workers) {
    const line = `${format === "markdown" ? "- " : ""}${workerLine(worker)}`;
    if (!budget.take(`${line}\n`)) break;
    lines.push(line);
  }
  const left = status.workers.length - lines.length;
  const rest =
    left === 0
      ? []
      : [
          `${left} more workers: ${reader?.surface === "cli" ? "--json" : "response_format=json, or a larger max_tokens"}`,
        ];
  return { text: [format === "markdown" ? `## ${head}` : head, ...lines, ...rest].join("\n"), meta };
}

/** The state of the pool of worker machines as fields of the JSON reply. */
export function poolFields({ workers, queued, running, localFallback }: PoolStatus) {
  return {
    workers: workers.map(({ id, slots, active, connectedSince, labels, draining }) => ({
      id,
      max_jobs: slots,
      active_jobs: active,
      connected_since: new Date(connectedSince).toISOString(),
      labels,
      ...(draining ? { draining } : {}),
    })),
    queued_jobs: queued,
    running_jobs: running,
    local_fallback_active: localFallback,
  };
}

export function workerLine({ id, slots, active, connectedSince, labels, draining }: PoolWorker): string {
  const minutes = Math.round((Date.now() - connectedSince) / 60_000);
  const state = draining ? ", draining" : "";
  return `${id}: ${active}/${slots} slots busy${state}, up ${minutes} min, ${labels.join(" ")}`;
}

function headOf({ workers, queued, running, localFallback }: PoolStatus): string {
  const slots = workers.reduce((sum, worker) => sum + worker.slots, 0);
  const counts = `${running} running, ${queued} queued`;
  if (localFallback) return `no worker connected, jobs run on the submitting machine; ${counts}`;
  return `${pluralize(workers.length, "worker")}, ${slots} slots, ${counts}`;
}
