import { countTurns, type Savings, savingsBy, savingsOf } from "./savings.ts";
import { TOOL_LIST, type UsageEntry } from "./usage.ts";

/** What agents' calls cost and saved: in total, and by tool, day and agent. */
export interface UsagePage {
  readonly total: Savings;
  readonly tools: readonly Savings[];
  readonly days: readonly Savings[];
  readonly agents: readonly Savings[];
}

export function addUpUsage(recorded: readonly UsageEntry[]): UsagePage {
  // Older versions also recorded the commands of users, without the name of a client.
  const entries = recorded.filter(({ client }) => client !== undefined);
  const calls = entries.filter((entry) => entry.tool !== TOOL_LIST);
  const turns = countTurns(entries);
  const byReturned = (a: Savings, b: Savings): number => b.returned - a.returned;
  return {
    total: savingsOf("total", entries, turns),
    tools: savingsBy(calls, (entry) => entry.tool, turns).sort(byReturned),
    days: savingsBy(entries, (entry) => entry.time.slice(0, 10), turns),
    agents: savingsBy(entries, (entry) => entry.client ?? "", turns).sort(byReturned),
  };
}
