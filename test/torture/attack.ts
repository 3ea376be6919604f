import type { Peer, PeerOptions } from "./peer.ts";
import type { Random } from "./random.ts";

/** What an attack can bring to light. Any of them fails the run. */
export type FindingKind =
  | "lost"
  | "crash"
  | "hang"
  | "wrong line"
  | "bad reply"
  | "internal error"
  | "memory"
  | "left running";

/** One way to break Pith: a name, what it does, and a round of it. */
export interface Attack {
  readonly name: string;
  readonly about: string;
  /** Whether its folder and its servers stay from round to round. */
  readonly lasting?: boolean;
  /** One round, decided by its random numbers alone. A second of work at most, so that all get their turn. */
  round(trial: Trial): Promise<void>;
}

/** What a round works with; it is cleaned up behind it. */
export interface Trial {
  readonly random: Random;
  /** An empty folder of its own. */
  readonly folder: string;
  /** Counts what was tried. */
  tried(what: string, times?: number): void;
  /** Says what this machine does not allow to be tried. */
  untried(what: string, why: string): void;
  found(kind: FindingKind, what: string): void;
  /** Starts a server; it is ended with the round, and must end well. */
  serve(options?: PeerOptions): Promise<Peer>;
  /** Made once for all rounds of a lasting attack, and for each round of others. */
  keep<T>(make: () => Promise<T>): Promise<T>;
  /** Runs at the end, whatever happened. */
  afterwards(work: () => void | Promise<void>): void;
}
