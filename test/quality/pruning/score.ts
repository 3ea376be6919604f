import { compareText } from "../../../src/kernel/nearest.ts";
import type { Case } from "./cases.ts";
import { bestLines, builtin, headAndTail } from "./policies.ts";
import type { Policy } from "./policies.ts";

export const SHARES = [0.1, 0.2, 0.35, 0.5] as const;
const POLICIES = { builtin, head_and_tail: headAndTail, best_lines: bestLines } as const;

/** Mean recall of relevant lines per share of tokens, and the share of tokens actually kept at 35 %. */
export interface Score {
  readonly cases: number;
  readonly builtin: readonly number[];
  readonly head_and_tail: readonly number[];
  readonly best_lines: readonly number[];
  readonly kept_at_35: number;
}

/** Returns the scores per language and overall. */
export async function scoreCases(cases: readonly Case[]): Promise<Record<string, Score>> {
  const languages = [...new Set(cases.map((one) => one.language))].sort(compareText);
  const scores: Record<string, Score> = {};
  for (const language of languages)
    scores[language] = await scoreOf(cases.filter((one) => one.language === language));
  return { ...scores, all: await scoreOf(cases) };
}

async function scoreOf(cases: readonly Case[]): Promise<Score> {
  const recalls = async (policy: Policy): Promise<readonly number[]> =>
    Promise.all(
      SHARES.map(async (share) => mean(await Promise.all(cases.map((one) => recall(one, policy, share))))),
    );
  return {
    cases: cases.length,
    builtin: await recalls(POLICIES.builtin),
    head_and_tail: await recalls(POLICIES.head_and_tail),
    best_lines: await recalls(POLICIES.best_lines),
    kept_at_35: mean(await Promise.all(cases.map((one) => keptShare(one, builtin, 0.35)))),
  };
}

async function recall(one: Case, policy: Policy, share: number): Promise<number> {
  const kept = await policy(one, share);
  return [...one.gold].filter((line) => kept.has(line)).length / one.gold.size;
}

async function keptShare(one: Case, policy: Policy, share: number): Promise<number> {
  const kept = await policy(one, share);
  const total = one.costs.reduce((sum, cost) => sum + cost, 0);
  return [...kept].reduce((sum, line) => sum + (one.costs[line] ?? 0), 0) / total;
}

function mean(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  return Math.round((sum / Math.max(1, values.length)) * 1000) / 1000;
}
