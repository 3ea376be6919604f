import type { JobPriority } from "./queue.ts";

/** The priorities of jobs by their names in settings and requests. */
export const PRIORITIES = { low: -1, normal: 0, high: 1 } as const satisfies Record<string, JobPriority>;
export type PriorityName = keyof typeof PRIORITIES;
