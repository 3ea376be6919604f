import type { SymbolKind } from "../../../model/symbol.ts";
import type { FoundUse } from "../../uses/find-uses.ts";

/** Kinds of definitions whose names are keys of objects; of another kind, a key of an unknown object says nothing. */
const VALUE_MEMBERS = /^(?:property|field)$/;

/** True for a place that depends on the definition itself, other than an import or a text. */
export function isPlain({ use: { role, receiver }, certainty }: FoundUse, kind: SymbolKind): boolean {
  const isKeyOfAny = receiver === "key" && certainty !== "sure" && !VALUE_MEMBERS.test(kind);
  return role !== "import" && role !== "string" && !isKeyOfAny;
}
