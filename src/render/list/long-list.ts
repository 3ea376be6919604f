import { estimateTokens } from "../../kernel/tokens.ts";
import type { RunReport } from "../../model/run-report.ts";

/** From so many diagnostics on a list has to be short: at most this share of what the tools printed. */
export const LONG_LIST = 50;
const LONG_SHARE = 0.3;
/** Tokens are estimated, those of an output up to a tenth too high. A dense list loses nothing: it is taken sooner than a brief one. */
const SAFETY = { dense: 0.85, brief: 0.92 };
/** Of output that is too long to be counted: what logs have; with tables and frames in them, up to the second. */
const BYTES_A_TOKEN = { usual: 4, most: 7 };
/** What is left out must be worth the line that says so. */
const WORTH_IT = 0.9;

/** How a list is written: easy to read; with every word once; with the first lines of messages only. */
export type Manner = "easy" | "dense" | "brief";

export interface Written {
  readonly text: string;
  /** How many diagnostics and failed tests did not fit. */
  readonly missing: number;
}

/** A long list is written the more densely, the more of it does not fit or the larger a part of the output it would be. */
export function writeList(report: RunReport, write: (manner: Manner) => Written): string {
  const easy = write("easy");
  if (sizeOf(report) < LONG_LIST) return easy.text;
  if (fits(easy, rawTokens(report, "most") * SAFETY.dense)) return easy.text;
  const dense = write("dense");
  const whole = better(dense, easy, 1) ? dense : easy;
  const raw = rawTokens(report, "usual") * SAFETY.brief;
  if (fits(whole, raw)) return whole.text;
  const brief = write("brief");
  return fits(brief, raw) || better(brief, whole, WORTH_IT) ? brief.text : whole.text;
}

function fits({ text, missing }: Written, raw: number): boolean {
  return missing === 0 && estimateTokens(text) <= raw * LONG_SHARE;
}

function better(one: Written, other: Written, share: number): boolean {
  if (one.missing !== other.missing) return one.missing < other.missing;
  return estimateTokens(one.text) < estimateTokens(other.text) * share;
}

function sizeOf({ groups, run }: RunReport): number {
  const failures = (run.findings?.tests ?? []).reduce((sum, one) => sum + one.failures.length, 0);
  return [...groups.fresh, ...groups.others].reduce((sum, group) => sum + group.count, failures);
}

function rawTokens({ raw, run }: RunReport, kind: keyof typeof BYTES_A_TOKEN): number {
  return raw === undefined
    ? run.log.bytes / BYTES_A_TOKEN[kind]
    : estimateTokens(raw.map((line) => line.text).join("\n"));
}
