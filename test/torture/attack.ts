import type { Peer, PeerOptions } from "./peer.ts";
import type { Random } from "./random.ts";

/** Types of defects that an attack can find. Any of them fails the run. */
export type FindingKind =
  | "lost"
  | "crash"
  | "hang"
  | "wrong line"
  | "bad reply"
  | "internal error"
  | "memory"
  | "left running";

/** One way to try to break Pith. */
export interface Attack {
  readonly name: string;
  readonly about: string;
  /** Whether its folder and servers are kept from round to round. */
  readonly lasting?: boolean;
  /**
   * Runs one round, determined only by its random numbers. It should take at most a second, so that all attacks run.
   */
  round(trial: Trial): Promise<void>;
}

/** The environment of a round, which is cleaned up afterwards. */
export interface Trial {
  readonly random: Random;
  /** An empty folder for this round. */
  readonly folder: string;
  /** How often to repeat what a whole round does this often; a short round does a quarter of it. */
  times(whole: number): number;
  /** Counts attempts. */
  tried(what: string, times?: number): void;
  /** Records what this machine does not allow to be tested. */
  untried(what: string, why: string): void;
  found(kind: FindingKind, what: string): void;
  /** Starts a server, which is stopped after the round and must exit cleanly. */
  serve(options?: PeerOptions): Promise<Peer>;
  /** Creates a value once for all rounds of a lasting attack, or per round for others. */
  keep<T>(make: () => Promise<T>): Promise<T>;
  /** Registers work to run at the end, whatever happens. */
  afterwards(work: () => void | Promise<void>): void;
}
