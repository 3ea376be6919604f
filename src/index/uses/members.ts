import type { ViewFile } from "../live/view.ts";
import {
  bareName,
  briefOf,
  ownerOf,
  symbolAround,
  symbolsNamed,
  TYPE_KINDS,
  type Definition,
} from "./definition.ts";
import { UNKNOWN, type Entity } from "./entity.ts";
import { MAX_STEPS } from "./module-names.ts";
import type { ModuleRules, ModuleTree } from "./modules/module-rules.ts";
import type { SymbolBrief } from "../store/record.ts";

/** What is needed to find the members of types. */
export interface Types {
  readonly tree: ModuleTree;
  readonly rules: ModuleRules;
  readonly entitiesOf: (file: ViewFile, position: number) => Promise<readonly Entity[]>;
}

/** Returns the members of a type with this name, in the type itself and then in the types it inherits from. */
export async function memberOf(
  at: Types,
  type: Definition,
  name: string,
  steps = 0,
): Promise<readonly Entity[]> {
  const own = await ownMembers(at, type, name);
  if (own.length > 0) return own.map((definition) => ({ kind: "definition", definition }));
  if (steps > MAX_STEPS) return UNKNOWN;
  for (const base of await bases(at, type)) {
    if (base === undefined) return UNKNOWN;
    const found = await memberOf(at, base, name, steps + 1);
    if (found.length > 0) return found;
  }
  return [];
}

async function ownMembers(at: Types, type: Definition, name: string): Promise<Definition[]> {
  const brief = briefOf(at.tree.view, type);
  if (brief === undefined) return [];
  const wanted = bareName(brief.name);
  const files =
    at.rules.hasOpenTypes === true
      ? [type.file, ...((await at.rules.neighbours?.(type.file, at.tree)) ?? [])]
      : [type.file];
  const found: Definition[] = [];
  for (const file of files) {
    const { symbols } = at.tree.view.documentOf(file);
    const isMember =
      file.path === type.file.path && at.rules.hasOpenTypes !== true
        ? (one: { readonly parent: number; readonly owner?: string }) =>
            one.parent === type.symbol || (one.owner !== undefined && bareName(one.owner) === wanted)
        : undefined;
    const isWanted = (one: SymbolBrief): boolean => isMember?.(one) ?? ownerOf(one, symbols) === wanted;
    const marks = at.rules.hasStaticMembers === true ? (await at.tree.factsOf(file)).marks : undefined;
    for (const symbol of symbolsNamed(symbols, name, isWanted))
      found.push({ file, symbol, ...(marks && { isStatic: marks.get(symbol) === "static" }) });
  }
  return found;
}

/** Returns the types that a type inherits from; undefined stands for one that is not in the project. */
export async function bases(at: Types, type: Definition): Promise<readonly (Definition | undefined)[]> {
  const brief = briefOf(at.tree.view, type);
  if (brief === undefined) return [];
  const { symbols } = at.tree.view.documentOf(type.file);
  const { uses } = await at.tree.factsOf(type.file);
  const found: (Definition | undefined)[] = [];
  for (const [position, { role, line }] of uses.entries()) {
    if (role !== "inheritance" || line < brief.lineStart || line > brief.lineEnd) continue;
    // Types inside this one inherit for themselves.
    if (symbolAround(symbols, line, ({ kind }) => TYPE_KINDS.has(kind)) !== type.symbol) continue;
    const entities = await at.entitiesOf(type.file, position);
    const definitions = entities.flatMap((entity) =>
      entity.kind === "definition" ? [entity.definition] : [],
    );
    found.push(...(definitions.length > 0 ? definitions.slice(0, 1) : [undefined]));
  }
  return found;
}
