import { hostname } from "node:os";
import { randomId } from "../../kernel/ids.ts";
import type { IndexContext } from "./index-context.ts";
import type { JobRow } from "../store/store.ts";

/**
 * Records long indexing work in the store, so that other processes, and later this one after a restart, know about it.
 */
export interface JobLog {
  begin(mode: JobRow["mode"], files: number): Promise<void>;
  end(): Promise<void>;
  fail(error: unknown): Promise<void>;
  /** Records that the work stopped early and has to be resumed. */
  interrupt(): Promise<void>;
  /** Returns true if another running process was indexing the same files when this job began. */
  othersAtWork(): boolean;
}

export function createJobLog(
  { store, projectId }: Pick<IndexContext, "store" | "projectId">,
  ref: string,
): JobLog {
  let jobId: string | undefined;
  let others = false;
  return {
    async begin(mode, changedFiles) {
      if (jobId !== undefined) return;
      const known = (await store.jobs(projectId)).filter((job) => job.ref === ref);
      others = known.some((job) => job.status === "running" && isAlive(job));
      // A failed job is reported only until the next attempt, which begins here.
      for (const job of known) if (job.status === "failed") await store.forgetJob(job.jobId);
      jobId = randomId();
      const startedAt = Date.now();
      const place = { pid: process.pid, host: hostname() };
      await store.startJob({
        jobId,
        projectId,
        ref,
        mode,
        status: "running",
        changedFiles,
        startedAt,
        ...place,
      });
    },
    async end() {
      if (jobId !== undefined) await store.endJob(jobId, "done");
      jobId = undefined;
    },
    async fail(error) {
      if (jobId !== undefined)
        await store.endJob(jobId, "failed", error instanceof Error ? error.message : String(error));
      jobId = undefined;
    },
    async interrupt() {
      if (jobId !== undefined) await store.endJob(jobId, "interrupted");
      jobId = undefined;
    },
    othersAtWork: () => others,
  };
}

/**
 * Returns true if the process that began the job is still running. A process on another machine cannot be checked and
 * counts as running.
 */
export function isAlive({ pid, host }: Pick<JobRow, "pid" | "host">): boolean {
  if (host !== hostname()) return true;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
