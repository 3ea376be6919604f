import type { Certainty } from "../../../src/model/relation.ts";
import type { TrueUses } from "./truth.ts";

/** The places that Pith finds for one definition; undefined if it does not know the definition. */
export type FoundPlaces = ReadonlyMap<string, Certainty> | undefined;

/** How the places of one definition compare. */
export interface Compared {
  readonly symbol: TrueUses;
  readonly isKnown: boolean;
  readonly missed: readonly string[];
  readonly wronglySure: readonly string[];
  readonly sure: number;
  /** Number of places that are listed, sure or possible, and those of them that are not true. */
  readonly listed: number;
  readonly wrong: readonly string[];
  readonly isEqual: boolean;
  readonly isSureEqual: boolean;
}

/** What a tool finds, with its lists as sets. */
export interface Judged {
  readonly files: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

export function compare(symbol: TrueUses, found: FoundPlaces, { files, ignored }: Judged): Compared {
  const expected = new Set(symbol.uses);
  const judged = new Map(
    [...(found ?? [])].filter(
      ([place]) =>
        files.has(place.slice(0, place.lastIndexOf(":"))) && !ignored.has(`${place} ${symbol.name}`),
    ),
  );
  const sure = [...judged].filter(([, certainty]) => certainty === "sure").map(([place]) => place);
  const missed = symbol.uses.filter((place) => found?.has(place) !== true);
  const wronglySure = sure.filter((place) => !expected.has(place));
  return {
    symbol,
    isKnown: found !== undefined,
    missed,
    wronglySure,
    sure: sure.length,
    listed: judged.size,
    wrong: [...judged.keys()].filter((place) => !expected.has(place)),
    isEqual:
      found !== undefined && missed.length === 0 && [...judged.keys()].every((one) => expected.has(one)),
    isSureEqual: found !== undefined && wronglySure.length === 0 && sure.length === expected.size,
  };
}

/** The figures of many definitions. */
export interface UseScore {
  readonly definitions: number;
  readonly uses: number;
  /** Share of the true uses that are listed as sure or possible. */
  readonly recall: number;
  /** Share of the places listed as sure that are true. */
  readonly surePrecision: number;
  readonly wronglySure: number;
  /** Share of the places listed as sure or possible that are true. */
  readonly precision: number;
  /** Share of the definitions whose places, sure and possible, are exactly the true ones. */
  readonly equal: number;
  /** Share of the definitions whose sure places are exactly the true ones. */
  readonly sureEqual: number;
}

export function scoreOf(all: readonly Compared[]): UseScore {
  const sum = (count: (one: Compared) => number): number => all.reduce((total, one) => total + count(one), 0);
  const uses = sum(({ symbol }) => symbol.uses.length);
  const sure = sum((one) => one.sure);
  const wronglySure = sum((one) => one.wronglySure.length);
  const listed = sum((one) => one.listed);
  return {
    definitions: all.length,
    uses,
    recall: share(uses - sum(({ missed }) => missed.length), uses),
    surePrecision: share(sure - wronglySure, sure),
    wronglySure,
    precision: share(listed - sum(({ wrong }) => wrong.length), listed),
    equal: share(
      sum(({ isEqual }) => Number(isEqual)),
      all.length,
    ),
    sureEqual: share(
      sum(({ isSureEqual }) => Number(isSureEqual)),
      all.length,
    ),
  };
}

function share(part: number, whole: number): number {
  return whole === 0 ? 1 : Math.round((1000 * part) / whole) / 1000;
}
