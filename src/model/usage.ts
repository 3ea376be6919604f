/** The name under which the ledger records the cost of a tool list, which every session pays before its first call. */
export const TOOL_LIST = "tools/list";

/** One answered call as the usage ledger stores it. */
export interface UsageEntry {
  readonly time: string;
  readonly tool: string;
  /** The client's own name, which decides how much raw output it would have shown. */
  readonly client?: string;
  /** The estimated number of tokens returned. */
  readonly tokens: number;
  /** The estimated tokens of the full data that the agent asked for, if known. */
  readonly raw_tokens?: number;
  /** True if the call fetched what an earlier reply had left out. */
  readonly retrieval?: true;
  readonly failed: boolean;
  readonly duration_ms: number;
}

/** A call to be recorded. */
export interface Usage extends Omit<UsageEntry, "time"> {
  /** The subject of the call and whether only a part was shown, to recognize a later call about it as a retrieval. It is not stored. */
  readonly about?: { readonly subject: string; readonly partly: boolean };
}

/** Records answered calls. Recording never makes a call fail. */
export interface UsageLedger {
  record(usage: Usage): void;
  /** Returns the calls of the most recent days that have any, oldest first. */
  read(days: number): Promise<UsageEntry[]>;
  /** Waits until everything recorded is on disk. */
  flush(): Promise<void>;
}
