import { TOOL_LIST } from "./usage.ts";
import type { UsageEntry } from "./usage.ts";

/** The tokens that Pith saved, in total, for one tool or for one day. */
export interface Savings {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  /** All tokens sent to clients, including tool lists and later retrievals of what was left out. */
  readonly returned: number;
  /**
   * The calls whose raw output has a known size: the tokens that Pith returned, and the tokens of raw output that the
   * client would have shown.
   */
  readonly compared: { readonly returned: number; readonly raw: number };
  /** The tokens returned for parts that an earlier reply had left out. */
  readonly retrieved: number;
  readonly toolLists: number;
  /**
   * The net number of tokens saved, after retrievals and tool lists are subtracted; negative if Pith cost more than it
   * saved.
   */
  readonly net: number;
}

/** Groups the calls by a name derived from each, and totals the savings of each group. */
export function savingsBy(entries: readonly UsageEntry[], nameOf: (entry: UsageEntry) => string): Savings[] {
  const groups = new Map<string, UsageEntry[]>();
  for (const entry of entries) {
    const name = nameOf(entry);
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return [...groups].map(([name, group]) => savingsOf(name, group));
}

/** Totals the savings of some calls under one name. */
export function savingsOf(name: string, entries: readonly UsageEntry[]): Savings {
  const lists = entries.filter((entry) => entry.tool === TOOL_LIST);
  const retrievals = entries.filter((entry) => entry.retrieval === true);
  const first = entries.filter((entry) => entry.retrieval !== true && entry.raw_tokens !== undefined);
  const compared = { returned: tokensOf(first), raw: first.reduce((sum, entry) => sum + shownRaw(entry), 0) };
  const [retrieved, toolLists] = [tokensOf(retrievals), tokensOf(lists)];
  return {
    name,
    calls: entries.length - lists.length,
    failed: entries.filter((entry) => entry.failed).length,
    returned: tokensOf(entries),
    compared,
    retrieved,
    toolLists,
    net: compared.raw - compared.returned - retrieved - toolLists,
  };
}

function tokensOf(entries: readonly UsageEntry[]): number {
  return entries.reduce((sum, entry) => sum + entry.tokens, 0);
}

interface OwnLimits {
  readonly client: RegExp;
  /** The most tokens of raw output that a client's own shell tool and its own file reader show. */
  readonly command: number;
  readonly file: number;
}

/**
 * How much raw output each client would show, since output that nobody would have read cannot count as saved. Claude Code's shell stops at
 * 30,000 characters and its file reader at 25,000 tokens; Codex truncates at 10,000 tokens, OpenCode at 50 KB, Gemini CLI at 40,000
 * characters. An unknown client is treated like the strictest one.
 */
const OWN_LIMITS: readonly OwnLimits[] = [
  { client: /claude/i, command: 7_500, file: 25_000 },
  { client: /codex/i, command: 10_000, file: 10_000 },
  { client: /opencode/i, command: 12_500, file: 12_500 },
  { client: /gemini/i, command: 10_000, file: 10_000 },
];
const TIGHTEST: Omit<OwnLimits, "client"> = { command: 7_500, file: 10_000 };

const FILE_TOOLS = new Set(["read", "get_file_outline"]);

function shownRaw({ client, tool, raw_tokens: raw = 0 }: UsageEntry): number {
  const limits = OWN_LIMITS.find((one) => client !== undefined && one.client.test(client)) ?? TIGHTEST;
  return Math.min(raw, FILE_TOOLS.has(tool) ? limits.file : limits.command);
}
