import type { ViewFile } from "../live/view.ts";
import { bareName, briefOf, TYPE_KINDS, type Definition } from "./definition.ts";
import { definitionsNamed } from "./definitions-named.ts";
import { bases } from "./members.ts";
import type { UseSource } from "./find-uses.ts";
import { folderOf } from "./modules/module-rules.ts";
import { resolverFor } from "./modules/registry.ts";
import { goModules } from "./modules/go.ts";

/** Number of interfaces inside one another whose methods are collected. */
const MAX_EMBEDDED = 8;

/**
 * Returns the types that have a method for each name in an interface of Go, where a type need not say what it
 * implements. Only names are compared: the types of parameters may differ, so nothing is proved.
 */
export async function typesWithMethodsOf(source: UseSource, wanted: Definition): Promise<Definition[]> {
  const methods = [...(await methodsOf(source, wanted, 0))].map((name) => receiversOf(source, name));
  const [rarest, ...others] = methods.sort((a, b) => a.size - b.size);
  if (rarest === undefined) return [];
  return [...rarest].flatMap(([key, method]) =>
    others.every((one) => one.has(key)) ? (typeOf(source, method) ?? []) : [],
  );
}

/** Returns the methods of a name by the package and name of their types. */
function receiversOf(source: UseSource, name: string): ReadonlyMap<string, Definition> {
  const found = new Map<string, Definition>();
  for (const method of definitionsNamed(source.view, name, "go")) {
    const owner = ownerIn(source, method);
    if (owner !== undefined) found.set(`${folderOf(method.file.path)}\0${owner}`, method);
  }
  return found;
}

/** Returns the names of the methods of an interface and of those that it embeds. */
async function methodsOf(source: UseSource, type: Definition, depth: number): Promise<ReadonlySet<string>> {
  const { view, tree } = source;
  const { symbols } = view.documentOf(type.file);
  const names = new Set(
    symbols.flatMap(({ kind, parent, name }) => (kind === "method" && parent === type.symbol ? [name] : [])),
  );
  const resolver = resolverFor("go", tree);
  if (depth >= MAX_EMBEDDED || resolver === undefined) return names;
  const types = {
    tree,
    rules: goModules,
    entitiesOf: (file: ViewFile, position: number) => resolver.entitiesOf(file, position),
  };
  for (const base of await bases(types, type))
    for (const name of base === undefined ? [] : await methodsOf(source, base, depth + 1)) names.add(name);
  return names;
}

function ownerIn({ view }: UseSource, method: Definition): string | undefined {
  const owner = briefOf(view, method)?.owner;
  return owner === undefined ? undefined : bareName(owner);
}

/** Returns the type of a method, which may be in another file of the package. */
function typeOf(source: UseSource, method: Definition): Definition | undefined {
  const owner = ownerIn(source, method);
  if (owner === undefined) return undefined;
  return definitionsNamed(source.view, owner, "go").find((one) => {
    const kind = briefOf(source.view, one)?.kind;
    return (
      kind !== undefined && TYPE_KINDS.has(kind) && folderOf(one.file.path) === folderOf(method.file.path)
    );
  });
}
