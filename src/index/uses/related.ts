import type { SymbolPlace } from "../../model/hit.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { View, ViewFile } from "../live/view.ts";
import type { Place } from "../rank/place.ts";
import { briefOf, languageOfFile, type Definition } from "./definition.ts";
import type { Entity } from "./entity.ts";
import type { UseSource } from "./find-uses.ts";
import { resolverFor } from "./modules/registry.ts";

const MAX_RELATED = 5;
/** Ranking factor for definitions in the file of the code that uses them, because they are usually read together. */
const SAME_FILE_FACTOR = 1.5;
/** Symbol kinds that are reported as related to a range of code; variables and members are not. */
const RELATED_KINDS: ReadonlySet<SymbolKind> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "fn",
  "method",
  "macro",
  "const",
]);

/**
 * Returns the definitions that a range of code certainly uses, most frequently used first. In a language whose names are
 * not resolved there are none.
 */
export async function relatedSymbols(
  { view, tree }: UseSource,
  file: ViewFile,
  place: Place,
): Promise<SymbolPlace[]> {
  const resolver = resolverFor(languageOfFile(file), tree);
  if (resolver === undefined) return [];
  const { uses } = await tree.factsOf(file);
  const counts = new Map<string, { readonly definition: Definition; count: number }>();
  for (const [position, { line, role }] of uses.entries()) {
    if (line < place.lineStart || line > place.lineEnd || role === "string" || role === "import") continue;
    const definition = onlyDefinition(await resolver.entitiesOf(file, position));
    if (definition === undefined || !isRelated(view, definition, file, place)) continue;
    const key = `${definition.file.path}:${definition.symbol}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { definition, count: 1 });
    else known.count++;
  }
  return [...counts.values()]
    .flatMap(({ definition, count }) => {
      const brief = briefOf(view, definition);
      if (brief === undefined) return [];
      const { path } = definition.file;
      const score = (path === file.path ? SAME_FILE_FACTOR : 1) * Math.log2(1 + count);
      return [{ score, place: { kind: brief.kind, name: brief.name, path, line: brief.lineStart } }];
    })
    .sort((a, b) => b.score - a.score || (a.place.name < b.place.name ? -1 : 1))
    .slice(0, MAX_RELATED)
    .map((one) => one.place);
}

/** Returns the definition that a name certainly refers to; of overloads in one file, the first. */
function onlyDefinition(entities: readonly Entity[]): Definition | undefined {
  const [first] = entities;
  if (first?.kind !== "definition") return undefined;
  const { path } = first.definition.file;
  const isSure = entities.every(
    (one) => one.kind === "definition" && one.isPossible !== true && one.definition.file.path === path,
  );
  return isSure ? first.definition : undefined;
}

/** True for a definition outside of the code itself. Source code is not explained by tests. */
function isRelated(view: View, definition: Definition, file: ViewFile, place: Place): boolean {
  const brief = briefOf(view, definition);
  if (brief === undefined || !RELATED_KINDS.has(brief.kind)) return false;
  const to = definition.file;
  if (to.facts.role.test && !file.facts.role.test) return false;
  return to.path !== file.path || brief.lineStart < place.lineStart || brief.lineEnd > place.lineEnd;
}
