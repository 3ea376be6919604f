import type { SymbolKind } from "../../model/symbol.ts";
import { DATA_KINDS } from "../rank/kind-weights.ts";
import { kindsBefore } from "./kinds.ts";

/** Words before a name in a definition that are not kinds of symbols. */
const MODIFIERS: ReadonlySet<string> = new Set(
  "abstract async const constexpr data declare default export extern final inline internal local mut new open operator override partial private protected pub public sealed static suspend unsafe virtual".split(
    " ",
  ),
);

/** A name with its qualifiers: `Class.method`, `mod::fn`, `src/a.ts:name`. Brackets and quotes belong to other texts. */
const NAME = /^[^\s,()<>[\]{}"'`=;]*\p{L}[^\s,()<>[\]{}"'`=;]*$/u;

/**
 * Splits a text into the names that it lists, separated by commas or blanks. The start of a definition (`class Foo`,
 * `pub fn parse(a: A, b: B)`) is a single name.
 */
export function splitNames(text: string): readonly string[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== "");
  const [first = ""] = words;
  const isList = words.length > 1 && words.every((word) => NAME.test(word));
  return isList && (text.includes(",") || !startsDefinition(first)) ? words : [text];
}

function startsDefinition(word: string): boolean {
  return MODIFIERS.has(word) || kindsBefore(word).some((kind: SymbolKind) => !DATA_KINDS.has(kind));
}
