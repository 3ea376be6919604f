/** One answered call, as the usage ledger keeps it. */
export interface UsageEntry {
  readonly time: string;
  readonly tool: string;
  /** Tokens returned, as estimated. */
  readonly tokens: number;
  /** Tokens of what the agent would have read without Pith, where it is known. */
  readonly raw_tokens?: number;
  readonly failed: boolean;
  readonly duration_ms: number;
}

/** Where answered calls are noted. Recording never fails a call. */
export interface UsageLedger {
  record(entry: Omit<UsageEntry, "time">): void;
  /** The calls of the last days that have any, oldest first. */
  read(days: number): Promise<UsageEntry[]>;
  /** Waits until what was recorded is on disk. */
  flush(): Promise<void>;
}

/** Calls counted together: those of a tool, or of a day. */
export interface UsageTotal {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  readonly tokens: number;
  /** Over the calls whose raw size is known: what was returned, and what raw would have been. */
  readonly compared: { readonly tokens: number; readonly raw: number };
}

/** Adds up calls by a name taken from each. */
export function totalUsage(
  entries: readonly UsageEntry[],
  nameOf: (entry: UsageEntry) => string,
): UsageTotal[] {
  const totals = new Map<string, UsageTotal>();
  for (const entry of entries) {
    const name = nameOf(entry);
    const sum = totals.get(name) ?? { name, calls: 0, failed: 0, tokens: 0, compared: { tokens: 0, raw: 0 } };
    const known = entry.raw_tokens !== undefined;
    totals.set(name, {
      name,
      calls: sum.calls + 1,
      failed: sum.failed + (entry.failed ? 1 : 0),
      tokens: sum.tokens + entry.tokens,
      compared: {
        tokens: sum.compared.tokens + (known ? entry.tokens : 0),
        raw: sum.compared.raw + (entry.raw_tokens ?? 0),
      },
    });
  }
  return [...totals.values()];
}
