import type { Hit, SymbolPlace } from "../../model/hit.ts";
import type { UseCounts } from "../../model/use.ts";
import { TEST_KINDS, type Outline, type SymbolKind } from "../../model/symbol.ts";
import type { ViewFile } from "../live/view.ts";
import type { FoundPlace } from "../rank/place.ts";
import type { HitSource } from "../query/hit-source.ts";
import { symbolAround, type Definition } from "./definition.ts";
import { findUses, type FoundUse } from "./find-uses.ts";
import { useSourceOf } from "./use-source.ts";

/** Number of definitions up to which their uses are counted beside them. */
const MAX_COUNTED = 3;

/** Adds to few definitions how often they are used. */
export async function withUseCounts(
  hits: readonly Hit[],
  places: readonly FoundPlace[],
  source: HitSource,
): Promise<readonly Hit[]> {
  // The blocks of methods of a type in Rust, and names that only resemble the requested one, are not counted.
  const isNamed = (hit: Hit): boolean =>
    hit.match === undefined && hit.kind !== undefined && USED.has(hit.kind);
  if (hits.filter(isNamed).length > MAX_COUNTED) return hits;
  const counted: Hit[] = [];
  for (const [index, hit] of hits.entries()) {
    const symbol = places[index]?.place.symbol;
    const file = places[index]?.file;
    const uses =
      symbol === undefined || file === undefined || !isNamed(hit)
        ? undefined
        : await countUses(source, { file, symbol });
    counted.push(uses === undefined ? hit : { ...hit, uses });
  }
  return counted;
}

/** Kinds of definitions that code refers to by name. */
const USED: ReadonlySet<SymbolKind> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "fn",
  "method",
  "property",
  "field",
  "variant",
  "const",
  "var",
  "macro",
]);

/** Number of files with a name up to which the uses of a definition are counted beside it. */
const MAX_COUNTED_FILES = 400;

/** Counts the uses of a definition; undefined if so many files contain its name that counting would take long. */
export async function countUses(source: HitSource, definition: Definition): Promise<UseCounts | undefined> {
  const found = await findUses(useSourceOf(source), definition, MAX_COUNTED_FILES);
  if (found === undefined) return undefined;
  const uses = found.uses.filter(({ use }) => use.role !== "import");
  const places = new Map<string, FoundUse>();
  for (const one of uses) {
    const key = `${one.file.path}:${one.use.line}`;
    if (places.get(key)?.certainty !== "sure") places.set(key, one);
  }
  const all = [...places.values()];
  const sure = all.filter(({ certainty }) => certainty === "sure").length;
  const tests = new Set(all.filter(({ file }) => file.facts.role.test).map(({ file }) => file.path));
  return {
    sure,
    possible: all.length - sure,
    unresolved: found.unresolved.length,
    files: new Set(all.map(({ file }) => file.path)).size,
    tests: [...tests].sort(),
    isByName: found.isByName,
  };
}

const MAX_CALLERS = 5;
const MAX_TESTS = 3;
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "test"]);

/** Returns some functions that certainly use a definition, and tests among them. */
export async function someCallers(
  source: HitSource,
  definition: Definition,
  outlineOf: (file: ViewFile) => Promise<Outline | undefined>,
): Promise<Pick<Hit, "callers" | "tests">> {
  const found = await findUses(useSourceOf(source), definition, MAX_COUNTED_FILES);
  const callers = new Map<string, SymbolPlace>();
  const tests = new Map<string, SymbolPlace>();
  // Callers in the definition's own file come first, because they are usually read together with it.
  const isElsewhere = ({ file }: FoundUse): number => (file.path === definition.file.path ? 0 : 1);
  const uses = (found?.uses ?? []).toSorted((a, b) => isElsewhere(a) - isElsewhere(b));
  for (const { file, use, certainty } of uses) {
    if (certainty !== "sure" || use.role === "import") continue;
    const { symbols } = source.view.documentOf(file);
    const index = symbolAround(symbols, use.line, ({ kind }) => FUNCTIONS.has(kind));
    const brief = symbols[index];
    if (brief === undefined || (file.path === definition.file.path && index === definition.symbol)) continue;
    // The index keeps the titles of tests only in outlines.
    const name = TEST_KINDS.has(brief.kind) ? (await outlineOf(file))?.symbols[index]?.name : brief.name;
    const place = { kind: brief.kind, name: name ?? "", path: file.path, line: brief.lineStart };
    (file.facts.role.test ? tests : callers).set(`${file.path}:${index}`, place);
  }
  return {
    ...(callers.size > 0 && { callers: [...callers.values()].slice(0, MAX_CALLERS) }),
    ...(tests.size > 0 && { tests: [...tests.values()].slice(0, MAX_TESTS) }),
  };
}
