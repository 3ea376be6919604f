import type { RunReport } from "../model/run-report.ts";

/** What changed since the previous run of the same command: the counts, and by name what was fixed. */
export function deltaLine({ delta }: RunReport): string {
  if (delta === undefined) return "";
  const count = (part: keyof typeof PARTS): number =>
    delta[part].diagnostics.length + delta[part].failures.length;
  const counts = (["fixed", "fresh", "unchanged"] as const)
    .filter((part) => count(part) > 0)
    .map((part) => `${count(part)} ${PARTS[part]}`);
  if (count("fixed") + count("fresh") === 0) return `no change since run ${delta.previousRun}`;
  const lines = [`since run ${delta.previousRun}: ${counts.join(", ")}`];
  if (count("fixed") > 0 && count("fixed") <= MAX_LISTED)
    lines.push(`fixed: ${placesOf(delta.fixed).join(", ")}`);
  const fresh = delta.fresh.failures;
  const someAreOld = delta.unchanged.failures.length > 0;
  if (someAreOld && fresh.length > 0 && fresh.length <= MAX_LISTED)
    lines.push(`newly failing: ${fresh.map((one) => one.name).join(", ")}`);
  return lines.join("\n");
}

const PARTS = { fixed: "fixed", fresh: "new", unchanged: "unchanged" } as const;
/** Beyond this a list says no more than its count. */
const MAX_LISTED = 12;

function placesOf(part: NonNullable<RunReport["delta"]>["fixed"]): string[] {
  const places = part.diagnostics.map((one) => {
    const place = [one.file, one.line].filter((item) => item !== undefined).join(":");
    return [place, one.code].filter(Boolean).join(" ") || one.message.slice(0, 60);
  });
  return [...places, ...part.failures.map((one) => one.name)];
}

/** The same in a few words: `1 fixed, 2 new`. */
export function shortDelta({ delta }: RunReport): string {
  if (delta === undefined) return "";
  const [fixed, fresh] = [sizeOf(delta.fixed), sizeOf(delta.fresh)];
  if (fixed + fresh === 0) return "no change";
  return [...(fixed > 0 ? [`${fixed} fixed`] : []), ...(fresh > 0 ? [`${fresh} new`] : [])].join(", ");
}

/** What the output itself does not tell: what was fixed, and which of its complaints are new. */
export function namedDelta({ delta }: RunReport): string[] {
  if (delta === undefined) return [];
  const listed = (word: string, part: typeof delta.fixed): string[] =>
    sizeOf(part) > 0 && sizeOf(part) <= MAX_LISTED ? [`${word}: ${placesOf(part).join(", ")}`] : [];
  return [
    ...listed("fixed", delta.fixed),
    ...(sizeOf(delta.unchanged) > 0 ? listed("new", delta.fresh) : []),
  ];
}

function sizeOf(part: NonNullable<RunReport["delta"]>["fixed"]): number {
  return part.diagnostics.length + part.failures.length;
}
