/**
 * The name under which the usage ledger records the tokens of a tool list, which every session pays before its first
 * call.
 */
export const TOOL_LIST = "tools/list";

/** One answered call as the usage ledger stores it. */
export interface UsageEntry {
  readonly time: string;
  readonly tool: string;
  /** The name by which the client identifies itself; it decides how much raw output the client would have shown. */
  readonly client?: string;
  /** Identifies the conversation that the call belongs to, if the protocol tells. */
  readonly session?: string;
  /** The estimated number of tokens in the reply. */
  readonly tokens: number;
  /** The estimated number of tokens in the full data that the agent asked for, if known. */
  readonly raw_tokens?: number;
  /** True if the call fetched a part that an earlier reply had left out. */
  readonly retrieval?: true;
  readonly failed: boolean;
  readonly duration_ms: number;
}

/** An answered call that is to be recorded in the usage ledger. */
export interface Usage extends Omit<UsageEntry, "time"> {
  /**
   * What the call was about and whether only a part was shown, so that a later call about it is recognized as a
   * retrieval. It is not stored.
   */
  readonly about?: { readonly subject: string; readonly partly: boolean };
}

/** Records answered calls in the usage ledger. Recording never makes a call fail. */
export interface UsageLedger {
  record(usage: Usage): void;
  /** Returns the calls of the most recent days that have any, oldest first. */
  read(days: number): Promise<UsageEntry[]>;
  /** Waits until everything that was recorded is on disk. */
  flush(): Promise<void>;
}
