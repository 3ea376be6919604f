import type * as library from "graphile-worker";

type QueueLibrary = Pick<typeof library, "Logger" | "runMigrations" | "runTaskList">;

/** The queue library, loaded when it is first needed. It is CommonJS: bundled it has its parts in `default` alone. */
export async function loadQueueLibrary(): Promise<QueueLibrary> {
  return (await import("graphile-worker")).default;
}
