import type { RelatedPlace } from "../../model/relation.ts";
import type { DefinitionMark, NameUse } from "../../model/use.ts";
import type { View } from "../live/view.ts";
import { briefOf, isCallIn, languageOfFile, ownerOf, type Definition } from "./definition.ts";
import { definitionsNamed } from "./definitions-named.ts";
import { isElsewhere } from "./entity.ts";
import type { UseSource } from "./find-uses.ts";
import type { ModuleTree } from "./modules/module-rules.ts";
import { resolverFor } from "./modules/registry.ts";

/** Number of definitions of a name up to which a call on an object of unknown type is listed with each of them. */
const MAX_POSSIBLE = 3;

/** Finds the definitions of the project that a definition calls. */
export async function calleesOf(
  { view, tree }: UseSource,
  caller: Definition,
): Promise<{ readonly places: readonly RelatedPlace[]; readonly unresolved: ReadonlySet<string> }> {
  const brief = briefOf(view, caller);
  if (brief === undefined) return { places: [], unresolved: new Set() };
  const resolver = resolverFor(languageOfFile(caller.file), tree);
  const { uses } = await tree.factsOf(caller.file);
  const places = new Map<string, RelatedPlace>();
  const open = new Set<string>();
  for (const [position, use] of uses.entries()) {
    if (use.line < brief.lineStart || use.line > brief.lineEnd) continue;
    if (!isCallIn(caller.file, use) && use.role !== "decorator") continue;
    const entities = resolver === undefined ? [] : await resolver.entitiesOf(caller.file, position);
    const sure = entities.flatMap((entity) => (entity.kind === "definition" ? [entity.definition] : []));
    const isProved =
      !isElsewhere(entities) &&
      !entities.some(
        (entity) => entity.kind === "unknown" || (entity.kind === "definition" && entity.isPossible === true),
      );
    const isKnown = sure.length > 0 || entities.some(({ kind }) => kind === "outside" || kind === "module");
    const found = isKnown ? sure : await definitionsForName(tree, caller, use);
    if (!isKnown && (found.length === 0 || found.length > MAX_POSSIBLE)) {
      if (found.length > 0 || entities.some(({ kind }) => kind === "missing")) open.add(use.name);
      continue;
    }
    for (const definition of found) {
      const place = placeOf(view, definition, isKnown && isProved ? "sure" : "possible");
      const key = `${place.path}:${place.line}`;
      if (places.get(key)?.certainty !== "sure") places.set(key, place);
    }
  }
  return { places: [...places.values()], unresolved: open };
}

/** Languages in which no function outside of a type is called behind a value, as in `value.f()`. */
const HAS_ONLY_MEMBERS: ReadonlySet<string> = new Set(["go", "rust", "java", "c", "cpp", "csharp"]);

/** Returns true if a definition may be what is called behind a value whose type is not known. */
function mayBelongToValue(view: View, definition: Definition): boolean {
  if (!HAS_ONLY_MEMBERS.has(languageOfFile(definition.file))) return true;
  const brief = briefOf(view, definition);
  const owner = brief === undefined ? undefined : ownerOf(brief, view.documentOf(definition.file).symbols);
  return owner !== undefined && owner !== "";
}

/** Returns the definitions that a name which nothing resolves may mean; those of tests are not for other code. */
async function definitionsForName(
  tree: ModuleTree,
  caller: Definition,
  { name, receiver }: NameUse,
): Promise<Definition[]> {
  const found = definitionsNamed(tree.view, name, languageOfFile(caller.file)).filter(
    ({ file }) => !file.facts.role.test,
  );
  if (receiver !== "unknown" && receiver !== "previous" && receiver !== "self") return found;
  const members = receiver === "unknown" ? found.filter((one) => mayBelongToValue(tree.view, one)) : found;
  const reachable: Definition[] = [];
  // What is visible only in a function or module is behind no value.
  for (const one of members)
    if (!LOCAL.has((await tree.factsOf(one.file)).marks.get(one.symbol) ?? "static")) reachable.push(one);
  return reachable;
}

const LOCAL: ReadonlySet<DefinitionMark> = new Set(["inner", "hoisted", "own"]);

function placeOf(view: View, definition: Definition, certainty: RelatedPlace["certainty"]): RelatedPlace {
  const brief = briefOf(view, definition);
  const owner = brief === undefined ? undefined : ownerOf(brief, view.documentOf(definition.file).symbols);
  const name = brief?.name ?? "";
  return {
    path: definition.file.path,
    line: brief?.lineStart ?? 1,
    certainty,
    role: "call",
    name: owner === undefined || owner === "" ? name : `${owner}.${name}`,
    ...(definition.file.facts.role.test && { isTest: true as const }),
  };
}
