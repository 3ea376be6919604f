import { maxOpenFiles } from "../../kernel/files/max-open-files.ts";
import { type ActiveRun, notStarted } from "./active-run.ts";
import type { RunStore, StoredRun } from "./store.ts";

/** Descriptors that a run takes: for its pipes and its log files, and for reading the log when it is reported. */
const FILES_PER_RUN = 14;
/** Bounds on the runs that are executed in one process at the same time. */
const MIN_RUNS = 4;
const MAX_RUNS = 64;

interface QueuedRun {
  readonly run: StoredRun;
  readonly store: Pick<RunStore, "finish">;
  /** Starts the execution of the run. */
  readonly begin: () => Promise<ActiveRun>;
}

/** Executes only so many runs at the same time as there are descriptors for. The others wait in the order in which they came. */
export class RunQueue {
  readonly #maxRuns: number;
  readonly #turns: ((word: "begin" | "stop") => void)[] = [];
  #running = 0;

  constructor(maxRuns = Math.floor(maxOpenFiles() / 2 / FILES_PER_RUN)) {
    this.#maxRuns = Math.max(MIN_RUNS, Math.min(MAX_RUNS, maxRuns));
  }

  /** Starts a run, or queues it. A queued run is a run in progress, too. */
  async start(queued: QueuedRun): Promise<ActiveRun> {
    return this.#running < this.#maxRuns ? this.#begin(queued) : this.#enqueue(queued);
  }

  async #begin({ begin }: QueuedRun): Promise<ActiveRun> {
    this.#running++;
    try {
      const active = await begin();
      void Promise.allSettled([active.done]).then(() => this.#giveBack());
      return active;
    } catch (error) {
      this.#giveBack();
      throw error;
    }
  }

  #giveBack(): void {
    this.#running--;
    this.#turns.shift()?.("begin");
  }

  #enqueue(queued: QueuedRun): ActiveRun {
    const { run, store } = queued;
    let started: ActiveRun | undefined;
    let isStopped = false;
    let turn: (word: "begin" | "stop") => void = () => undefined;
    const done = new Promise<"begin" | "stop">((resolve) => {
      turn = resolve;
      this.#turns.push(turn);
    }).then(async (word) => {
      if (word === "stop")
        return store.finish(run.id, { endedAt: Date.now(), end: { cause: "cancelled" }, log: run.log });
      try {
        started = await this.#begin(queued);
      } catch (error) {
        return store.finish(run.id, notStarted(run, error));
      }
      if (isStopped) started.stop();
      return started.done;
    });
    // A caller that awaits `done` gets the error; this handler only prevents an unhandled rejection until then.
    done.catch(() => undefined);
    return {
      run,
      detached: false,
      done,
      stop: () => {
        isStopped = true;
        const place = this.#turns.indexOf(turn);
        if (place < 0) return started?.stop();
        this.#turns.splice(place, 1);
        turn("stop");
      },
      lines: async () => started?.lines() ?? 0,
      waiting: () => {
        const ahead = this.#turns.indexOf(turn);
        return Promise.resolve(ahead < 0 ? undefined : { kind: "queued", ahead });
      },
    };
  }
}
