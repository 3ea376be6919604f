import type { ModuleLink } from "../../../model/use.ts";
import type { NameEntity, NameLookup, NamePlace } from "./name-rules.ts";
import { join } from "./name-table.ts";

/** Returns what imports bind to the name of a use: definitions of the project, or namespaces. */
export async function importedNames(
  lookup: NameLookup,
  place: NamePlace,
  links: readonly ModuleLink[],
): Promise<readonly NameEntity[]> {
  const bound: NameEntity[] = [];
  for (const { module, names } of links)
    for (const { name, as } of names)
      if (as === place.use.name) bound.push(...(await lookup.resolve(join(module, name), place)));
  return bound;
}
