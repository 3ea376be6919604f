type QueueLibrary = typeof import("graphile-worker");

/** The queue library, loaded when it is first needed. It is CommonJS: bundled it has its parts in `default` alone. */
export async function loadQueueLibrary(): Promise<
  Pick<QueueLibrary, "Logger" | "runMigrations" | "runTaskList">
> {
  const { default: library } = await import("graphile-worker");
  return library;
}
