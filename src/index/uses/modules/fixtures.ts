import type { NameUse } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import { definitionsNamed } from "../definitions-named.ts";
import { briefOf, type Definition } from "../definition.ts";
import type { Entity } from "../entity.ts";
import { folderOf, type ModuleTree } from "./module-rules.ts";

/**
 * Returns the fixture of pytest that a test gets for a parameter: of its own file, otherwise of the nearest `conftest.py`
 * in the folders around it. A fixture elsewhere may belong to a plugin, so that it is only possible.
 */
export async function fixtureNamed(
  tree: ModuleTree,
  file: ViewFile,
  { name, line }: NameUse,
  exportsOf: (file: ViewFile, name: string) => Promise<readonly Entity[]>,
): Promise<readonly Entity[]> {
  for (const one of [file, ...configurationsAround(tree, file)]) {
    const found: Entity[] = [];
    for (const entity of await exportsOf(one, name))
      if (entity.kind === "definition" && (await isFixture(tree, entity.definition))) found.push(entity);
    // A fixture that gets one of its own name replaces that of the folder around it.
    if (one === file && found.some((entity) => isOn(tree, entity, line))) continue;
    if (found.length > 0) return found;
  }
  const others: Entity[] = [];
  for (const definition of definitionsNamed(tree.view, name, "python"))
    if (await isFixture(tree, definition)) others.push({ kind: "definition", definition, isPossible: true });
  return others;
}

function isOn({ view }: ModuleTree, entity: Entity, line: number): boolean {
  return entity.kind === "definition" && briefOf(view, entity.definition)?.lineStart === line;
}

function configurationsAround({ view }: ModuleTree, { path }: ViewFile): ViewFile[] {
  const found: ViewFile[] = [];
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const one = view.fileAt(folder === "" ? "conftest.py" : `${folder}/conftest.py`);
    if (one !== undefined) found.push(one);
    if (folder === "") return found;
  }
}

/** Returns true for a function with the decorator `fixture`, which is above it and below what precedes it. */
async function isFixture(tree: ModuleTree, { file, symbol }: Definition): Promise<boolean> {
  const { symbols } = tree.view.documentOf(file);
  const own = symbols[symbol]?.lineStart ?? 0;
  const { uses } = await tree.factsOf(file);
  return uses.some(
    ({ name, role, line }) =>
      name === "fixture" &&
      role === "decorator" &&
      line <= own &&
      !symbols.some(({ lineStart }) => line < lineStart && lineStart < own),
  );
}
