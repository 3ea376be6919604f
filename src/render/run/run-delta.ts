import type { DeltaPart, RunDelta, RunReport } from "../../model/run-report.ts";

type PartName = Exclude<keyof RunDelta, "previousRun">;

/** The words for the parts, in the order in which they are written. */
const WORDS: Readonly<Record<PartName, string>> = {
  fixed: "fixed",
  gone: "gone",
  notRun: "not run",
  fresh: "new",
  unchanged: "unchanged",
};
const PARTS: readonly PartName[] = ["fixed", "gone", "notRun", "fresh", "unchanged"];
/** What the reply does not show elsewhere, and so has to name. */
const NAMED: readonly PartName[] = ["fixed", "gone", "notRun"];
/** Beyond this a list says no more than its count. */
const MAX_LISTED = 12;

/** What changed since the previous run of the same command: the counts, and by name what is no longer reported. */
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

/** The same in a few words: `1 fixed, 2 new`. */
export function shortDelta({ delta }: RunReport): string {
  if (delta === undefined) return "";
  return isUnchanged(delta) ? "no change" : countsOf(delta, [...NAMED, "fresh"]).join(", ");
}

/** Whether the short delta closes with the words "not run". */
export function endsWithNotRun({ delta }: RunReport): boolean {
  return delta !== undefined && sizeOfPart(delta.notRun) > 0 && sizeOfPart(delta.fresh) === 0;
}

/** What the output itself does not tell: what is no longer reported, and which of its complaints are new. */
export function namedDelta({ delta }: RunReport): string[] {
  if (delta === undefined) return [];
  const names: readonly PartName[] = sizeOfPart(delta.unchanged) > 0 ? [...NAMED, "fresh"] : NAMED;
  return names.flatMap(listedIn(delta));
}

/** How many complaints and failures a part has. */
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

/** The part by name, where it has few enough. */
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

/** Names are what a log says they are: some are as long as a page. */
const MAX_NAME = 120;

function nameOf({ name }: { readonly name: string }): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;
}
