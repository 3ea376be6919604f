import { writeFileSync } from "node:fs";

/** Repeated measurements of one quantity: the median and the spread. */
export interface Sample {
  readonly median: number;
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

export type Unit =
  | "ms"
  | "s"
  | "tokens"
  | "MB"
  | "MB/s"
  | "jobs/s"
  | "bytes"
  | "µs"
  | "a second"
  | "of 1"
  | "times"
  | "files";

/** One measured quantity: Pith's value and, from the same run, that of the alternative people use. */
export interface Figure {
  readonly what: string;
  readonly unit: Unit;
  readonly pith: Sample;
  readonly other?:
    | { readonly name: string; readonly sample: Sample }
    | { readonly name: string; readonly missing: string };
  /** The highest allowed ratio of Pith's value to the other; a benchmark that exceeds it fails. */
  readonly allowed?: number;
  /** The limit on Pith's own value. */
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly note?: string;
}

/** The result of one benchmark. */
export interface Section {
  readonly title: string;
  /** What was measured and how, in one or two sentences. */
  readonly about: string;
  readonly figures: readonly Figure[];
}

/** Computes the median and the spread of some measurements; a single one is its own spread. */
export function sampleOf(values: readonly number[]): Sample {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  // The lowest and highest tenth are left out, because single outliers of the machine mean nothing.
  return { median: at(0.5), low: at(0.1), high: at(0.9), rounds: sorted.length };
}

/** Prints a section, and saves it for the page if the bench command requested that. */
export function report(section: Section): void {
  for (const figure of section.figures) console.log(lineOf(figure));
  const file = process.env["PITH_BENCH_OUT"];
  if (file !== undefined) writeFileSync(file, JSON.stringify(section));
  const broken = section.figures.filter((figure) => !isKept(figure));
  for (const { what } of broken) console.log(`PROMISE BROKEN: ${what}`);
  if (broken.length > 0) process.exitCode = 1;
}

/** Returns the ratio of Pith's value to the other's; undefined if there is no other. */
export function ratioOf({ pith, other }: Figure): number | undefined {
  return other === undefined || "missing" in other ? undefined : pith.median / other.sample.median;
}

/** True if the figure is within its limits. */
export function isKept(figure: Figure): boolean {
  const { pith, allowed, atMost, atLeast } = figure;
  const ratio = ratioOf(figure);
  return (
    (allowed === undefined || ratio === undefined || ratio <= allowed) &&
    (atMost === undefined || pith.median <= atMost) &&
    (atLeast === undefined || pith.median >= atLeast)
  );
}

function lineOf(figure: Figure): string {
  const { what, unit, pith, other, note } = figure;
  const ratio = ratioOf(figure);
  const parts = [`${what}: ${amount(pith, unit)}`];
  if (other !== undefined && "missing" in other) parts.push(`${other.name}: missing (${other.missing})`);
  if (other !== undefined && !("missing" in other)) parts.push(`${other.name} ${amount(other.sample, unit)}`);
  if (ratio !== undefined) parts.push(`ratio ${ratio.toFixed(2)}`);
  parts.push(...promises(figure));
  if (note !== undefined) parts.push(note);
  return parts.join(", ");
}

/** Describes the limits of a figure. */
export function promises({ allowed, atMost, atLeast, unit }: Figure): string[] {
  return [
    ...(allowed === undefined ? [] : [`ratio at most ${allowed}`]),
    ...(atMost === undefined ? [] : [`at most ${round(atMost)} ${unit}`]),
    ...(atLeast === undefined ? [] : [`at least ${round(atLeast)} ${unit}`]),
  ];
}

/** Formats a value with its spread, if it has one. */
export function amount({ median, low, high }: Sample, unit: Unit): string {
  const spread = round(low) === round(high) ? "" : ` (${round(low)} to ${round(high)})`;
  return `${round(median)} ${unit}${spread}`;
}

/** Rounds to three digits, which are enough for anything measured here. */
export function round(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}
