import { type DetachedProcess, prepareDetached, type WaitingProcess } from "../../exec/detached-process.ts";
import { LogReader } from "../../logs/log-reader.ts";
import type { ActiveRun, RunOrder } from "./active-run.ts";
import { recoverRun } from "./recovery.ts";
import type { RunEnding, RunStore } from "./store.ts";

export interface Supervision {
  /** The script that carries out an order which it reads from its stdin. */
  readonly script: string;
  /** Where the run store lies, and where the script is started. */
  readonly folder: string;
}

/** Who runs one command often runs another: a process that waits for it spares the start, for as long as this. */
const SPARE_MS = 60_000;

/** Starts the processes that carry out runs, and keeps one ready for the next. */
export class Supervisors {
  readonly #supervision: Supervision;
  #spare: WaitingProcess | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(supervision: Supervision) {
    this.#supervision = supervision;
  }

  /**
   * Carries out a run in a process of its own, which goes on when this server ends: clients end their servers without
   * asking, and a build of ten minutes must not die with them.
   */
  start(order: RunOrder, store: RunStore): ActiveRun {
    return follow(order, store, this.#take().begin(JSON.stringify(order)));
  }

  /** Gets a process ready. Not while a run begins: it would take the time it is to save. */
  prepare(): void {
    const { script, folder } = this.#supervision;
    if (this.#spare?.isAlive !== true) this.#spare = prepareDetached(script, folder);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.close(), SPARE_MS);
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

/** What a supervisor says of a run that has ended. */
export function writeEnding(ending: RunEnding): string {
  return `${JSON.stringify(ending)}\n`;
}

/** Only a script of ours writes to that pipe, and only this. */
function parseEnding(said: string): RunEnding {
  return JSON.parse(said) as RunEnding;
}

function follow({ run }: RunOrder, store: RunStore, supervisor: DetachedProcess): ActiveRun {
  const done = supervisor.reported.then(async (said) => {
    let now = await store.get(run.id);
    if (said !== "" && now !== undefined && now.end === undefined) {
      // It could not store the end, or what it stored was set aside with the file it was in.
      await store.finish(run.id, parseEnding(said));
      now = await store.get(run.id);
    }
    // Without an ending it was killed itself, or told to stop before it could begin.
    return now === undefined ? now : recoverRun(now, store, { ownerIsGone: true });
  });
  done.catch(() => undefined);
  return {
    run,
    detached: true,
    done,
    stop() {
      // What cannot be noted is told all the same.
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
