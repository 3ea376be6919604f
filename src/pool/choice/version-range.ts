/** A version as numbers: major, minor, patch. */
export type Version = readonly [number, number, number];

/** The versions from `from` on that are below `below`; all later ones if that is absent. */
export interface VersionInterval {
  readonly from: Version;
  readonly below?: Version;
}

/** A version, or the beginning of one, at the start of a text. */
const VERSION = /^[v=\s]*(\d{1,9})(?:\.(\d{1,9}|[xX*])(?:\.(\d{1,9}|[xX*]))?)?/;
/** One comparison of a range, such as `>=18.1` or `^20`. */
const COMPARISON = /(>=|<=|~=|~>|==|!=|>|<|\^|~|=)?\s*([vV]?(?:\d[\w.*+-]*|[xX*]))/g;
const HYPHEN = /(\S+)\s+-\s+(\S+)/g;
const ANY: VersionInterval = { from: [0, 0, 0] };

/** Reads the first version in a text, such as what a program prints about itself. */
export function versionIn(text: string): Version | undefined {
  const [, major, minor, patch] = /(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?/.exec(text) ?? [];
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch ?? 0)];
}

/** All versions that begin with the given numbers: 3.11 stands for 3.11.0 up to below 3.12.0. */
export function versionsBeginningWith(text: string): VersionInterval[] | undefined {
  const part = readPart(text);
  return part && [part];
}

export function versionsFrom(text: string): VersionInterval[] | undefined {
  const part = readPart(text);
  return part && [{ from: part.from }];
}

/**
 * Reads a range as npm, Python and Ruby write them (`>=18 <21 || ^22.1`, `>=3.9,<4`, `~=3.11`); undefined if a part of it
 * is unknown. Versions that are excluded one by one with `!=` are not excluded here, because that only makes a choice
 * of machines smaller.
 */
export function readRange(text: string): VersionInterval[] | undefined {
  const intervals: VersionInterval[] = [];
  for (const alternative of text.split("||")) {
    const plain = alternative.replace(HYPHEN, ">=$1 <=$2").replaceAll(",", " ").trim();
    if (plain.replaceAll(COMPARISON, "").trim() !== "") return undefined;
    let whole: VersionInterval | undefined = ANY;
    for (const [, operator, version = ""] of plain.matchAll(COMPARISON)) {
      const one = compared(operator ?? "", version);
      if (one === undefined) return undefined;
      whole &&= both(whole, one);
    }
    if (whole !== undefined) intervals.push(whole);
  }
  return intervals;
}

/** Returns whether one of the versions is in one of the intervals. */
export function isInRange(versions: readonly Version[], intervals: readonly VersionInterval[]): boolean {
  return versions.some((version) =>
    intervals.some(
      ({ from, below }) =>
        compare(version, from) >= 0 && (below === undefined || compare(version, below) < 0),
    ),
  );
}

function compared(operator: string, version: string): VersionInterval | undefined {
  const part = readPart(version);
  if (part === undefined) return undefined;
  const { from, below, length } = part;
  switch (operator) {
    case ">=":
      return { from };
    case ">":
      return below === undefined ? undefined : { from: below };
    case "<":
      return { from: [0, 0, 0], below: from };
    case "<=":
      return { from: [0, 0, 0], ...(below && { below }) };
    case "^":
      return length === 0 ? ANY : { from, below: afterCaret(from, length) };
    case "~":
      return length === 0 ? ANY : { from, below: afterPart(from, Math.min(2, length)) };
    // Python's and Ruby's operators leave the last given number open.
    case "~=":
    case "~>":
      return length === 0 ? ANY : { from, below: afterPart(from, Math.max(1, length - 1)) };
    case "!=":
      return ANY;
    default:
      return part;
  }
}

interface Part extends VersionInterval {
  /** How many numbers are given. */
  readonly length: number;
}

/** Reads a version of which the last numbers may be missing or wildcards. */
function readPart(text: string): Part | undefined {
  if (/^[xX*]$/.test(text.trim())) return { ...ANY, length: 0 };
  const found = VERSION.exec(text.trim());
  if (found === null) return undefined;
  const given = found.slice(1).map((part) => (part === undefined ? Number.NaN : Number(part)));
  const missing = given.findIndex((part) => Number.isNaN(part));
  const length = missing === -1 ? given.length : missing;
  const [major = 0, minor = 0, patch = 0] = given.slice(0, length);
  const from: Version = [major, minor, patch];
  return { from, below: afterPart(from, length), length };
}

/** The first version whose number at the given place is larger. */
function afterPart([major, minor, patch]: Version, length: number): Version {
  if (length === 1) return [major + 1, 0, 0];
  return length === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}

/** The caret keeps the first number that is not 0. */
function afterCaret(from: Version, length: number): Version {
  const first = from.findIndex((number) => number > 0);
  return afterPart(from, first === -1 ? length : first + 1);
}

function both(one: VersionInterval, other: VersionInterval): VersionInterval | undefined {
  const from = compare(one.from, other.from) >= 0 ? one.from : other.from;
  const ends = [one.below, other.below].filter((end) => end !== undefined).sort(compare);
  const [below] = ends;
  if (below !== undefined && compare(from, below) >= 0) return undefined;
  return { from, ...(below && { below }) };
}

function compare(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
