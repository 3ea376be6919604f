import { estimateTokens } from "../../kernel/tokens.ts";
import type { RunReport } from "../../model/run-report.ts";

/** The number of diagnostics and failed tests from which a list counts as long and has to be short in tokens. */
export const LONG_LIST = 50;
/** The largest share of the tokens of the original output that a long list may take. */
const MAX_LONG_SHARE = 0.3;
/**
 * Factors on the estimated token count of the original output, which may be a tenth too high. The one for `dense` is
 * lower: a dense list loses nothing, so it is chosen sooner than a brief one.
 */
const SAFETY = { dense: 0.85, brief: 0.92 };
/**
 * How many bytes make a token in output that is too long to be counted. Logs with tables and frames have up to `max`.
 */
const BYTES_PER_TOKEN = { usual: 4, max: 7 };
/**
 * A brief list must be at least a tenth smaller than the full one; otherwise it is not worth the line that says what it
 * leaves out.
 */
const MIN_BRIEF_GAIN = 0.9;

/**
 * How densely a list is written: easy to read, dense (each repeated word once), or brief (only the first line of each
 * message).
 */
export type Density = "easy" | "dense" | "brief";

export interface Written {
  readonly text: string;
  /** The number of diagnostics and failed tests that did not fit into the list. */
  readonly missing: number;
}

/** Writes a list of findings as easily readable as the budget and the size of the original output allow. */
export function chooseDensity(report: RunReport, write: (density: Density) => Written): string {
  const easy = write("easy");
  if (sizeOf(report) < LONG_LIST) return easy.text;
  if (fits(easy, rawTokens(report, "max") * SAFETY.dense)) return easy.text;
  const dense = write("dense");
  const whole = isBetter(dense, easy, 1) ? dense : easy;
  const raw = rawTokens(report, "usual") * SAFETY.brief;
  if (fits(whole, raw)) return whole.text;
  const brief = write("brief");
  return fits(brief, raw) || isBetter(brief, whole, MIN_BRIEF_GAIN) ? brief.text : whole.text;
}

function fits({ text, missing }: Written, raw: number): boolean {
  return missing === 0 && estimateTokens(text) <= raw * MAX_LONG_SHARE;
}

function isBetter(one: Written, other: Written, share: number): boolean {
  if (one.missing !== other.missing) return one.missing < other.missing;
  return estimateTokens(one.text) < estimateTokens(other.text) * share;
}

function sizeOf({ groups, run }: RunReport): number {
  const failures = (run.findings?.tests ?? []).reduce((sum, one) => sum + one.failures.length, 0);
  return [...groups.fresh, ...groups.others].reduce((sum, group) => sum + group.count, failures);
}

function rawTokens({ raw, run }: RunReport, kind: keyof typeof BYTES_PER_TOKEN): number {
  return raw === undefined
    ? run.log.bytes / BYTES_PER_TOKEN[kind]
    : estimateTokens(raw.map((line) => line.text).join("\n"));
}
