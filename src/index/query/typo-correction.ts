import { locateSymbols, nearestSymbolNames, type LocateOptions } from "./locate.ts";
import { filesWithName } from "./name-occurrences.ts";
import { parseQuery, type ParsedQuery } from "./query.ts";
import { membersOf } from "../rank/rank-chunks.ts";
import { partsOfIdentifier } from "../text/terms.ts";
import type { View } from "../live/view.ts";

/** Shortest name that is corrected; a shorter one is always similar to some other name. */
const MIN_NAME_LENGTH = 4;

/**
 * If the requested name occurs nowhere, not even as a prefix or in parts, returns the query with the most similar
 * existing name.
 */
export function correctTypo(view: View, query: ParsedQuery, options: LocateOptions): ParsedQuery | undefined {
  const { symbol } = query;
  if (symbol === undefined || symbol.name.length < MIN_NAME_LENGTH || isWritten(view, query, symbol.name))
    return undefined;
  if (locateSymbols(view, symbol.name, options).length > 0) return undefined;
  const [nearest] = nearestSymbolNames(view, symbol.name, 1);
  return nearest === undefined
    ? undefined
    : { ...parseQuery(nearest), route: "symbol", symbol: { ...symbol, name: nearest } };
}

/** Returns true if the name occurs in some file; for a plain word, any form of it counts. */
function isWritten(view: View, { groups }: ParsedQuery, name: string): boolean {
  if (partsOfIdentifier(name).length > 1) return filesWithName(view, name).size > 0;
  return view.segments.some(({ segment }) => groups.some((group) => membersOf(group, segment).length > 0));
}
