import type { SymbolKind } from "../../../model/symbol.ts";
import type { ModuleLink, NameUse } from "../../../model/use.ts";
import { filesWithAnyName } from "../candidates.ts";
import { languageOfFile, TYPE_KINDS } from "../definition.ts";
import { folderOf, joinPath, type ModuleTree } from "../modules/module-rules.ts";
import { importedNames } from "./imported-names.ts";
import type { NameEntity, NameLookup, NamePlace, NameRules } from "./name-rules.ts";
import type { NameTable } from "./name-table.ts";

/**
 * C#: code in a namespace sees the namespaces around it, then the aliases and namespaces of its `using` directives and
 * of the global ones of its project. The parts of a partial type can be in several files.
 */
export const csharpNames: NameRules = {
  languages: ["csharp"],
  fileNamespace: "namespace",
  hasImplicitThis: true,
  hasOverloads: true,
  hasPartialTypes: true,
  membersHideTypes: true,
  // No type outside of other types is private, except for the alias of a `using` directive.
  isAlias: ({ kind, parent, isHidden }) => kind === "type" && parent < 0 && isHidden,
  overridden: new Set<SymbolKind>(["method", "property"]),
  accepts,
  lookUp,
  otherNames: (name, kind) =>
    TYPE_KINDS.has(kind) && /.Attribute$/u.test(name) ? [name.slice(0, -ATTRIBUTE.length)] : [],
};

const ATTRIBUTE = "Attribute";

function accepts(kind: SymbolKind, { role }: NameUse): boolean {
  return (role !== "type" && role !== "inheritance" && role !== "decorator") || TYPE_KINDS.has(kind);
}

async function lookUp(lookup: NameLookup, place: NamePlace): Promise<readonly NameEntity[]> {
  const found = await lookUpName(lookup, place);
  const isFound = found.some(({ kind }) => kind === "definition");
  if (isFound || place.use.role !== "decorator") return found;
  // `[Table]` means the class `TableAttribute`, unless there is a class `Table`.
  return lookUpName(lookup, { ...place, use: { ...place.use, name: `${place.use.name}${ATTRIBUTE}` } });
}

async function lookUpName(lookup: NameLookup, place: NamePlace): Promise<readonly NameEntity[]> {
  const { use, namespace, file } = place;
  const namespaces: NameEntity[] = [];
  const parts = namespace === "" ? [] : namespace.split(".");
  for (let count = parts.length; count > 0; count--) {
    const found = await lookup.membersOf(parts.slice(0, count).join("."), use.name, place);
    if (found.some(({ kind }) => kind === "definition")) return found;
    namespaces.push(...found);
  }
  const own = (await lookup.tree.factsOf(file)).links;
  const links = [...own, ...(await globalLinks(lookup.tree, place))];
  const bound = await importedNames(lookup, place, links);
  if (bound.length > 0) return bound;
  for (const { module, all } of links) {
    if (!all) continue;
    const found = await usedNames(lookup, place, module);
    if (found.some(({ kind }) => kind === "definition")) return found;
  }
  const global = await lookup.membersOf("", use.name, place);
  if (global.some(({ kind }) => kind === "definition")) return global;
  const guesses = [...namespaces, ...global].map((one) => ({ ...one, isGuess: true }));
  // A namespace of the project that no file declares is probably generated, and may have the name.
  const isOpen = links.some(
    ({ module, all }) => all && lookup.table.owns(module) && !isDefined(lookup.table, module),
  );
  // Without a namespace of a dependency, nothing shows where a type that the project defines may come from.
  const isExplained = links.some(({ module, all }) => all && isForeign(lookup.table, module));
  return isOpen || (!isExplained && isTypeUse(use)) ? [...guesses, { kind: "missing" }] : guesses;
}

/** Returns true for a namespace that is neither the project's nor the platform's, whose types are rarely meant. */
function isForeign(table: NameTable, module: string): boolean {
  return !table.owns(module) && !/^(?:System|Microsoft|Windows)(?:\.|$)/u.test(module);
}

function isTypeUse({ role }: NameUse): boolean {
  return role === "type" || role === "inheritance" || role === "call" || role === "read";
}

/** Returns true if the project has the namespace, or the type whose static members `using` brings in. */
function isDefined(table: NameTable, name: string): boolean {
  if (table.declares(name)) return true;
  const at = name.lastIndexOf(".");
  return table.inside(name.slice(0, Math.max(0, at)), name.slice(at + 1)).length > 0;
}

/** Returns the names that `using A.B;` brings in. Inside a namespace, `A` may be relative to it. */
async function usedNames(
  lookup: NameLookup,
  place: NamePlace,
  module: string,
): Promise<readonly NameEntity[]> {
  const parts = place.namespace === "" ? [] : place.namespace.split(".");
  for (let count = 0; count <= parts.length; count++) {
    const full = [...parts.slice(0, count), module].join(".");
    const found = await lookup.membersOf(full, place.use.name, place);
    if (found.some(({ kind }) => kind === "definition")) return found;
  }
  return [];
}

const globals = new WeakMap<ModuleTree, ReadonlyMap<string, readonly ModuleLink[]>>();

/** Returns the `global using` directives of the project that a file belongs to. */
async function globalLinks(tree: ModuleTree, { file }: NamePlace): Promise<readonly ModuleLink[]> {
  const known = globals.get(tree) ?? (await collectGlobals(tree));
  globals.set(tree, known);
  const found = [...(known.get(projectOf(tree, file.path)) ?? [])];
  // What a file for several projects says holds for all folders below it.
  for (let folder = folderOf(file.path); ; folder = folderOf(folder)) {
    for (const name of SHARED) found.push(...(known.get(`${folder}/${name}`) ?? []));
    if (folder === "") return found;
  }
}

/** The files that MSBuild reads for all projects below their folder. */
const SHARED = ["Directory.Build.props", "Directory.Build.targets"];
const USING = /<Using\s[^>]*?>/gu;

/** Reads `<Using Include="A.B" Static="true" Alias="C" />` in the description of a project. */
function usingItems(text: string): ModuleLink[] {
  return [...text.matchAll(USING)].flatMap(([item]): ModuleLink[] => {
    const full = /\bInclude="([\w.]+)"/u.exec(item)?.[1];
    const as = /\bAlias="(\w+)"/u.exec(item)?.[1];
    if (full === undefined) return [];
    const link = { kind: "export", line: 1 } as const;
    if (as === undefined) return [{ ...link, module: full, names: [], all: true }];
    const at = full.lastIndexOf(".");
    const names = [{ name: full.slice(at + 1), as }];
    return [{ ...link, module: full.slice(0, Math.max(0, at)), names, all: false }];
  });
}

const IMPORT = /<Import\s[^>]*?\bProject="(?<path>[^"]+)"/gu;
const OWN_FOLDER = /\$\((?:MSBuildThisFileDirectory|MSBuildProjectDirectory)\)\/?/gu;
/** Number of files that may import one another. */
const MAX_IMPORTS = 8;

/** Returns the `<Using>` items of a description of a project, and of the files that it imports. */
async function usingsOf(tree: ModuleTree, path: string, depth = 0): Promise<ModuleLink[]> {
  const text = (await tree.textOf(path)) ?? "";
  const found = usingItems(text);
  if (depth > MAX_IMPORTS) return found;
  for (const { groups } of text.matchAll(IMPORT)) {
    const imported = (groups?.["path"] ?? "").replaceAll("\\", "/").replace(OWN_FOLDER, "");
    const file = joinPath(folderOf(path), imported);
    if (file !== undefined && file !== path) found.push(...(await usingsOf(tree, file, depth + 1)));
  }
  return found;
}

async function collectGlobals(tree: ModuleTree): Promise<ReadonlyMap<string, readonly ModuleLink[]>> {
  const found = new Map<string, ModuleLink[]>();
  for (const { path } of tree.view.files) {
    const shared = SHARED.find((name) => path === name || path.endsWith(`/${name}`));
    if (shared === undefined && !path.endsWith(".csproj")) continue;
    const key = shared === undefined ? folderOf(path) : `${folderOf(path)}/${shared}`;
    found.set(key, [...(found.get(key) ?? []), ...(await usingsOf(tree, path))]);
  }
  for (const file of filesWithAnyName(tree.view, ["global"])) {
    if (languageOfFile(file) !== "csharp") continue;
    const links = (await tree.factsOf(file)).links.filter(({ kind }) => kind === "export");
    if (links.length === 0) continue;
    const project = projectOf(tree, file.path);
    found.set(project, [...(found.get(project) ?? []), ...links]);
  }
  return found;
}

/** Returns the folder of the nearest project file around a path. */
function projectOf(tree: ModuleTree, path: string): string {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (folder === "" || tree.filesIn(folder).some((one) => one.path.endsWith(".csproj"))) return folder;
  }
}
