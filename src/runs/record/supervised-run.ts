import { PithError } from "../../kernel/errors.ts";
import { type DetachedProcess, prepareDetached, type WaitingProcess } from "../../exec/detached-process.ts";
import { LogReader } from "../../logs/log-reader.ts";
import type { ActiveRun, RunOrder } from "./active-run.ts";
import { recoverRun } from "./recovery.ts";
import type { RunEnding, RunStore } from "./store.ts";

export interface Supervision {
  /** The path of the supervisor script, which reads the order for a run from stdin and executes it. */
  readonly script: string;
  /** The folder of the run store, in which the script is started. */
  readonly folder: string;
}

/** How long a prepared supervisor process waits for the next command before it is dismissed. */
const SPARE_TIMEOUT_MS = 60_000;

/**
 * Starts a supervisor process for each run, and keeps one ready, so that the next run need not wait for it to start.
 */
export class Supervisors {
  readonly #supervision: Supervision;
  #spare: WaitingProcess | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(supervision: Supervision) {
    this.#supervision = supervision;
  }

  /**
   * Executes a run in a separate process that continues when this server exits. MCP clients end their servers without
   * asking, and a build of ten minutes must not die with them.
   */
  start(order: RunOrder, store: RunStore): ActiveRun {
    return follow(order, store, this.#take().begin(JSON.stringify(order)));
  }

  /**
   * Prepares a supervisor process for the next run. It is not called while a run starts, because that would slow the
   * start down.
   */
  prepare(): void {
    const { script, folder } = this.#supervision;
    try {
      if (this.#spare?.isAlive !== true) this.#spare = prepareDetached(script, folder);
    } catch (error) {
      // Nothing is lost if there is no process or no folder for a spare one: the next run tries again and reports it.
      if (!(error instanceof PithError)) throw error;
    }
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), SPARE_TIMEOUT_MS);
    this.#timer.unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#spare?.dismiss();
    this.#spare = undefined;
  }

  #take(): WaitingProcess {
    const spare = this.#spare;
    this.#spare = undefined;
    const { script, folder } = this.#supervision;
    return spare?.isAlive === true ? spare : prepareDetached(script, folder);
  }
}

/** Encodes the result of a run for the pipe from the supervisor to the server. */
export function writeEnding(ending: RunEnding): string {
  return `${JSON.stringify(ending)}\n`;
}

/** Parses a result. The cast is safe, because only Pith's supervisor writes to this pipe, with `writeEnding`. */
function parseEnding(said: string): RunEnding {
  return JSON.parse(said) as RunEnding;
}

function follow({ run }: RunOrder, store: RunStore, supervisor: DetachedProcess): ActiveRun {
  const done = supervisor.reported.then(async (said) => {
    let now = await store.get(run.id);
    if (said !== "" && now !== undefined && now.end === undefined) {
      // The supervisor reported a result that the store does not have: it could not store it, or the store file was
      // damaged and replaced since.
      await store.finish(run.id, parseEnding(said));
      now = await store.get(run.id);
    }
    // If there is no result, the supervisor was killed or stopped before it could begin, and the run is recovered from
    // its log.
    return now === undefined ? now : recoverRun(now, store, { ownerIsGone: true });
  });
  done.catch(() => undefined);
  return {
    run,
    detached: true,
    done,
    stop() {
      // The supervisor gets the signal to stop even if the request cannot be stored.
      void store
        .askToStop(run.id)
        .catch(() => undefined)
        .then(() => supervisor.stop());
    },
    async lines() {
      const reader = await LogReader.open(store.logBase(run));
      try {
        return (await reader?.totals())?.lines ?? 0;
      } finally {
        await reader?.close();
      }
    },
  };
}
