/** The name under which the cost of a tool list is kept: what every session pays before the first call. */
export const TOOL_LIST = "tools/list";

/** One answered call, as the usage ledger keeps it. */
export interface UsageEntry {
  readonly time: string;
  readonly tool: string;
  /** Who asked, by its own word: it decides how much of raw output it would have shown. */
  readonly client?: string;
  /** Tokens returned, as estimated. */
  readonly tokens: number;
  /** Tokens of all that the agent asked for, where it is known. */
  readonly raw_tokens?: number;
  /** The call fetched what an earlier reply had left out. */
  readonly retrieval?: true;
  readonly failed: boolean;
  readonly duration_ms: number;
}

/** A call to be noted. */
export interface Usage extends Omit<UsageEntry, "time"> {
  /** What the call was about, and whether it showed only a part: a later call about the same is a retrieval. Not kept. */
  readonly about?: { readonly subject: string; readonly partly: boolean };
}

/** Where answered calls are noted. Recording never fails a call. */
export interface UsageLedger {
  record(usage: Usage): void;
  /** The calls of the last days that have any, oldest first. */
  read(days: number): Promise<UsageEntry[]>;
  /** Waits until what was recorded is on disk. */
  flush(): Promise<void>;
}
