import { groupBy } from "../kernel/group-by.ts";
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
  /** The tokens by which replies were smaller than the raw output. */
  readonly saved: number;
  /** The calls whose reply was larger than the raw output, and the tokens by which they were larger. */
  readonly lost: { readonly calls: number; readonly tokens: number };
  /**
   * The net number of tokens saved, after retrievals and tool lists are subtracted; negative if Pith cost more than it
   * saved.
   */
  readonly net: number;
  /** The same with each token counted once per turn in which the model reads it; absent if no call has a session. */
  readonly resident?: Resident;
}

/**
 * Tokens times the turns that they stay in the context. Every later call of the session counts as one turn, and nothing
 * leaves the context before the session ends.
 */
export interface Resident {
  /** The calls of known sessions; those of older versions and of HTTP without sessions are missing. */
  readonly calls: number;
  readonly returned: number;
  readonly net: number;
}

/** The number of turns in which the model reads each reply. Replies of unknown sessions are absent. */
export type Turns = ReadonlyMap<UsageEntry, number>;

/**
 * Counts the turns of each reply from the order of the calls. A reply is read in the turn after its call, and in the
 * turn after each later call of the session. The tool list is read in one turn more, the one before the first call.
 */
export function countTurns(entries: readonly UsageEntry[]): Turns {
  const turns = new Map<UsageEntry, number>();
  const later = new Map<string, number>();
  for (const entry of entries.toReversed()) {
    if (entry.session === undefined) continue;
    const calls = later.get(entry.session) ?? 0;
    turns.set(entry, calls + 1);
    if (entry.tool !== TOOL_LIST) later.set(entry.session, calls + 1);
  }
  return turns;
}

/** Groups the calls by a name derived from each, and totals the savings of each group. */
export function savingsBy(
  entries: readonly UsageEntry[],
  nameOf: (entry: UsageEntry) => string,
  turns?: Turns,
): Savings[] {
  return [...groupBy(entries, nameOf)].map(([name, group]) => savingsOf(name, group, turns));
}

/** Totals the savings of some calls under one name. */
export function savingsOf(name: string, entries: readonly UsageEntry[], turns?: Turns): Savings {
  const lists = entries.filter((entry) => entry.tool === TOOL_LIST);
  const retrievals = entries.filter((entry) => entry.retrieval === true);
  const first = entries.filter((entry) => isCompared(entry));
  const compared = { returned: tokensOf(first), raw: first.reduce((sum, entry) => sum + shownRaw(entry), 0) };
  const larger = first.filter((entry) => netOf(entry) < 0);
  const lost = { calls: larger.length, tokens: 0 - sumOf(larger, netOf) };
  const resident = residentOf(entries, turns);
  return {
    name,
    calls: entries.length - lists.length,
    failed: entries.filter((entry) => entry.failed).length,
    returned: tokensOf(entries),
    compared,
    retrieved: tokensOf(retrievals),
    toolLists: tokensOf(lists),
    saved: compared.raw - compared.returned + lost.tokens,
    lost,
    net: sumOf(entries, netOf),
    ...(resident === undefined ? {} : { resident }),
  };
}

function residentOf(entries: readonly UsageEntry[], turns: Turns | undefined): Resident | undefined {
  const known = entries.filter((entry) => turns?.has(entry) === true);
  if (known.length === 0) return undefined;
  const turnsOf = (entry: UsageEntry): number => turns?.get(entry) ?? 0;
  return {
    calls: known.filter((entry) => entry.tool !== TOOL_LIST).length,
    returned: sumOf(known, (entry) => entry.tokens * turnsOf(entry)),
    net: sumOf(known, (entry) => netOf(entry) * turnsOf(entry)),
  };
}

/** Checks whether a reply is compared with the raw output: a retrieval is not, because an earlier reply already was. */
function isCompared({ tool, retrieval, raw_tokens }: UsageEntry): boolean {
  return tool !== TOOL_LIST && retrieval !== true && raw_tokens !== undefined;
}

/** The tokens that one reply saved; negative if it cost more. A reply whose raw size is not known counts as neither. */
function netOf(entry: UsageEntry): number {
  if (isCompared(entry)) return shownRaw(entry) - entry.tokens;
  return entry.tool === TOOL_LIST || entry.retrieval === true ? 0 - entry.tokens : 0;
}

function sumOf(entries: readonly UsageEntry[], valueOf: (entry: UsageEntry) => number): number {
  return entries.reduce((sum, entry) => sum + valueOf(entry), 0);
}

function tokensOf(entries: readonly UsageEntry[]): number {
  return sumOf(entries, ({ tokens }) => tokens);
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
