import type { DeltaPart, RunDelta, RunReport } from "../../model/run-report.ts";

type PartName = Exclude<keyof RunDelta, "previousRun">;

/** The words for the parts of a delta (the changes since the previous run of the same command). */
const WORDS: Readonly<Record<PartName, string>> = {
  fixed: "fixed",
  gone: "gone",
  notRun: "not run",
  fresh: "new",
  unchanged: "unchanged",
};
const PARTS: readonly PartName[] = ["fixed", "gone", "notRun", "fresh", "unchanged"];
/** The parts of a delta whose entries are listed by name, because the rest of the reply does not show them. */
const NAMED: readonly PartName[] = ["fixed", "gone", "notRun"];
/** The longest list of changes that is written out; a longer one is only counted. */
const MAX_LISTED = 12;

/** The changes since the previous run of the same command: the counts, and the names of what is no longer reported. */
export function deltaLine({ delta }: RunReport): string {
  if (delta === undefined) return "";
  const counts = countsOf(delta, PARTS);
  if (isUnchanged(delta)) return `no change since run ${delta.previousRun}`;
  const lines = [`since run ${delta.previousRun}: ${counts.join(", ")}`, ...NAMED.flatMap(listedIn(delta))];
  const fresh = delta.fresh.failures;
  const someAreOld = delta.unchanged.failures.length > 0;
  if (someAreOld && fresh.length > 0 && fresh.length <= MAX_LISTED)
    lines.push(`newly failing: ${fresh.map(nameOf).join(", ")}`);
  return lines.join("\n");
}

/** The changes since the previous run in a few words: `1 fixed, 2 new`. */
export function shortDelta({ delta }: RunReport): string {
  if (delta === undefined) return "";
  return isUnchanged(delta) ? "no change" : countsOf(delta, [...NAMED, "fresh"]).join(", ");
}

/** Checks whether the text of `shortDelta` ends with the words "not run". */
export function endsWithNotRun({ delta }: RunReport): boolean {
  return delta !== undefined && sizeOfPart(delta.notRun) > 0 && sizeOfPart(delta.fresh) === 0;
}

/**
 * The changes since the previous run that the output of the command does not show: what is no longer reported, and
 * which diagnostics are new.
 */
export function namedDelta({ delta }: RunReport): string[] {
  if (delta === undefined) return [];
  const names: readonly PartName[] = sizeOfPart(delta.unchanged) > 0 ? [...NAMED, "fresh"] : NAMED;
  return names.flatMap(listedIn(delta));
}

/** The number of diagnostics and failed tests in one part of a delta, such as the fixed ones. */
export function sizeOfPart(part: DeltaPart): number {
  return part.diagnostics.length + part.failures.length;
}

function isUnchanged(delta: RunDelta): boolean {
  return [...NAMED, "fresh" as const].every((name) => sizeOfPart(delta[name]) === 0);
}

function countsOf(delta: RunDelta, names: readonly PartName[]): string[] {
  return names.flatMap((name) => {
    const size = sizeOfPart(delta[name]);
    return size === 0 ? [] : [`${size} ${WORDS[name]}`];
  });
}

/** Writes the entries of one part of a delta by name, or nothing if there are too many. */
function listedIn(delta: RunDelta): (name: PartName) => string[] {
  return (name) => {
    const size = sizeOfPart(delta[name]);
    return size === 0 || size > MAX_LISTED ? [] : [`${WORDS[name]}: ${placesOf(delta[name]).join(", ")}`];
  };
}

function placesOf(part: DeltaPart): string[] {
  const places = part.diagnostics.map((one) => {
    const place = [one.file, one.line].filter((item) => item !== undefined).join(":");
    return [place, one.code].filter(Boolean).join(" ") || one.message.slice(0, 60);
  });
  return [...places, ...part.failures.map(nameOf)];
}

/** The most characters shown of a test name, because some test names are as long as a page. */
const MAX_NAME = 120;

function nameOf({ name }: { readonly name: string }): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;
}
