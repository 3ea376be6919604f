import type { ViewFile } from "../../live/view.ts";
import type { NameEntity, NameRules } from "./name-rules.ts";
import type { NamedDefinition } from "./name-table.ts";

/**
 * Returns definitions of one full name as what a name refers to. If several files define it, as variants of a library
 * in one repository do, the ones that share most folders with the place are meant; with several of those it is open
 * which one is.
 */
export function nearest(
  found: readonly NamedDefinition[],
  from: ViewFile,
  { hasPartialTypes }: Pick<NameRules, "hasPartialTypes">,
): readonly NameEntity[] {
  const definitions = found.map(asEntity);
  const paths = new Set(found.map(({ definition }) => definition.file.path));
  if (paths.size < 2 || hasPartialTypes === true) return definitions;
  const shared = found.map(({ definition }) => sharedFolders(definition.file.path, from.path));
  const most = Math.max(...shared);
  const kept = definitions.filter((_, index) => shared[index] === most);
  const files = new Set(
    found.filter((_, index) => shared[index] === most).map(({ definition }) => definition.file),
  );
  return files.size === 1 ? kept : [...kept, { kind: "unknown" }];
}

/** Returns a definition as what a name refers to; it is only possible if the name has other capitals. */
export function asEntity({ definition, isVariant }: NamedDefinition): NameEntity {
  return { kind: "definition", definition, ...(isVariant === true && { isPossible: true }) };
}

function sharedFolders(a: string, b: string): number {
  const one = a.split("/");
  const other = b.split("/");
  let count = 0;
  while (count < one.length && one[count] === other[count]) count++;
  return count;
}
