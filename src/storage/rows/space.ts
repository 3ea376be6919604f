import type { Space } from "../../semantic/store.ts";
import { numberOf, textOf, type Row } from "./values.ts";

/** Converts a row to a vector space, the set of vectors of one model. */
export function spaceOf(row: Row): Space {
  return {
    spaceId: numberOf(row["space_id"]),
    provider: textOf(row["provider"]),
    model: textOf(row["model"]),
    dimensions: numberOf(row["dimensions"]),
    documentPrefix: textOf(row["document_prefix"]),
    queryPrefix: textOf(row["query_prefix"]),
    width: numberOf(row["width"]),
    lastUsed: numberOf(row["last_used"]),
  };
}
