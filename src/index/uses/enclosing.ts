import type { RelatedPlace } from "../../model/relation.ts";
import { TEST_KINDS, type Outline, type SymbolKind } from "../../model/symbol.ts";
import type { View, ViewFile } from "../live/view.ts";
import type { SymbolBrief } from "../store/record.ts";
import { bareName, ownerOf, symbolAround } from "./definition.ts";
import type { FoundUse } from "./find-uses.ts";

const AROUND: ReadonlySet<SymbolKind> = new Set([
  "fn",
  "method",
  "constructor",
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "impl",
  "type",
  "macro",
  "test",
  "suite",
]);
/** The most characters of the title of a test. */
const MAX_TITLE = 60;

/** Describes a place that uses a definition, with the function, class or test around it. */
export async function placeAround(
  { file, use, certainty }: FoundUse,
  view: View,
  outlineOf: (file: ViewFile) => Promise<Outline | undefined>,
): Promise<RelatedPlace> {
  const within = await nameAround(file, use.line, { view, outlineOf });
  return {
    path: file.path,
    line: use.line,
    certainty,
    role: use.role,
    ...(within !== undefined && { within }),
    ...(file.facts.role.test && { isTest: true as const }),
  };
}

interface Outlines {
  readonly view: View;
  readonly outlineOf: (file: ViewFile) => Promise<Outline | undefined>;
}

/** Returns true for what has code inside; a property has, if it is a function that computes it. */
function isAround({ kind, lineStart, lineEnd }: SymbolBrief): boolean {
  return AROUND.has(kind) || (kind === "property" && lineEnd > lineStart);
}

async function nameAround(
  file: ViewFile,
  line: number,
  { view, outlineOf }: Outlines,
): Promise<string | undefined> {
  const { symbols } = view.documentOf(file);
  const index = symbolAround(symbols, line, isAround);
  const brief = symbols[index];
  if (brief === undefined) return undefined;
  // The index keeps the titles of tests only in outlines.
  if (TEST_KINDS.has(brief.kind)) {
    const title = (await outlineOf(file))?.symbols[index]?.name ?? "test";
    return `"${title.length <= MAX_TITLE ? title : `${title.slice(0, MAX_TITLE - 1)}…`}"`;
  }
  const owner = ownerOf(brief, symbols);
  const name = bareName(brief.name);
  return owner === undefined || owner === "" || owner === name ? name : `${owner}.${name}`;
}
