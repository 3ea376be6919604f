import type { ModuleLink } from "../../../model/use.ts";
import type { ViewFile } from "../../live/view.ts";
import { folderOf, joinPath, type ModuleTree } from "../modules/module-rules.ts";

/** A module: a file, or an inline module by its position in the list of symbols; -1 is the file itself. */
export interface ModuleScope {
  readonly file: ViewFile;
  readonly within: number;
}

function stemOf({ path }: ViewFile): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.rs$/u, "");
}

/** Returns true if the modules inside a file are beside it, as for the root of a crate and for `mod.rs`. */
function isBesideModules(file: ViewFile): boolean {
  const stem = stemOf(file);
  return (
    stem === "mod" ||
    stem === "lib" ||
    stem === "main" ||
    /(?:^|\/)(?:bin|tests|examples|benches)\/[^/]+$/u.test(file.path)
  );
}

/** Returns the names of the inline modules from the outermost one to the given one. */
function pathOfInline({ file, within }: ModuleScope, tree: ModuleTree): string[] {
  const { symbols } = tree.view.documentOf(file);
  const names: string[] = [];
  for (let at = within; at >= 0; at = symbols[at]?.parent ?? -1) names.unshift(symbols[at]?.name ?? "");
  return names;
}

/** Returns the file of a module that a scope declares with `mod name;`. */
export function fileOfModule(
  scope: ModuleScope,
  link: ModuleLink,
  name: string,
  tree: ModuleTree,
): ViewFile | undefined {
  const { file } = scope;
  const folder = folderOf(file.path);
  const inline = pathOfInline(scope, tree);
  const own = folder === "" ? stemOf(file) : `${folder}/${stemOf(file)}`;
  if (link.module.startsWith("path:")) {
    const base = inline.length === 0 ? folder : [isBesideModules(file) ? folder : own, ...inline].join("/");
    const path = joinPath(base, link.module.slice("path:".length).replaceAll("\\", "/"));
    return path === undefined ? undefined : tree.view.fileAt(path);
  }
  const bases = isBesideModules(file) ? [folder, own] : [own, folder];
  for (const base of bases)
    for (const end of [`${name}.rs`, `${name}/mod.rs`]) {
      const path = joinPath(base, [...inline, end].join("/"));
      const found = path === undefined || path === file.path ? undefined : tree.view.fileAt(path);
      if (found !== undefined) return found;
    }
  return undefined;
}

/** Returns true if a link declares a module in another file. */
export function isModuleLink({ module }: ModuleLink): boolean {
  return module.startsWith("mod:") || module.startsWith("path:");
}

/** Returns the scopes that declare a file as a module: by custom one, but a library and a program may share files. */
export async function parentsOf(file: ViewFile, tree: ModuleTree): Promise<readonly ModuleScope[]> {
  const stem = stemOf(file);
  if (stem === "lib" || stem === "main") return [];
  const folder = stem === "mod" ? folderOf(folderOf(file.path)) : folderOf(file.path);
  const found = await scopesDeclaring(file, candidatesIn(folder, tree), tree);
  // The folder may be that of an inline module, as in `mod gen { mod clone; }`, of a file further up.
  for (let at = folder; found.length === 0 && at !== "";) {
    at = folderOf(at);
    const usual = candidatesIn(at, tree).filter((one) => isUsual(one, at));
    found.push(...(await scopesDeclaring(file, usual, tree)));
  }
  return found;
}

/** Returns the files that may declare a module in a folder: the usual ones first, then any other, which may do so by a path. */
function candidatesIn(folder: string, tree: ModuleTree): readonly ViewFile[] {
  const beside = tree.filesIn(folder).filter(({ path }) => path.endsWith(".rs"));
  const above = folder === "" ? undefined : tree.view.fileAt(`${folder}.rs`);
  const order = (one: ViewFile): number => ["mod", "lib", "main"].indexOf(stemOf(one)) >>> 0;
  return [...(above === undefined ? [] : [above]), ...[...beside].sort((a, b) => order(a) - order(b))];
}

function isUsual(candidate: ViewFile, folder: string): boolean {
  return candidate.path === `${folder}.rs` || isBesideModules(candidate);
}

async function scopesDeclaring(
  file: ViewFile,
  candidates: readonly ViewFile[],
  tree: ModuleTree,
): Promise<ModuleScope[]> {
  const found: ModuleScope[] = [];
  for (const candidate of candidates) {
    if (candidate.path === file.path) continue;
    if (found.length > 0 && candidate !== candidates[0] && !isBesideModules(candidate)) break;
    const { links } = await tree.factsOf(candidate);
    for (const link of links) {
      if (!isModuleLink(link)) continue;
      const scope = scopeIn(candidate, link.line, { tree, links });
      if (fileOfModule(scope, link, link.names[0]?.as ?? "", tree)?.path === file.path) found.push(scope);
    }
  }
  return found;
}

/** Returns the innermost module around a line of a file. */
export async function scopeAt(file: ViewFile, line: number, tree: ModuleTree): Promise<ModuleScope> {
  return scopeIn(file, line, { tree, links: (await tree.factsOf(file)).links });
}

/** Returns the innermost module around a line of a file with these links. */
export function scopeIn(
  file: ViewFile,
  line: number,
  { tree, links }: { readonly tree: ModuleTree; readonly links: readonly ModuleLink[] },
): ModuleScope {
  const { symbols } = tree.view.documentOf(file);
  let within = -1;
  for (const [index, { kind, name, lineStart, lineEnd, parent }] of symbols.entries()) {
    if (lineStart > line) break;
    if (kind !== "module" || lineEnd < line || parent !== within) continue;
    // `mod a;` ends on the line on which it begins, as `mod a { … }` can; the line belongs to the module around it.
    const isElsewhere = (link: ModuleLink): boolean =>
      link.line === lineStart && isModuleLink(link) && link.names[0]?.as === name;
    if (lineEnd > lineStart || !links.some(isElsewhere)) within = index;
  }
  return { file, within };
}

/** Returns the module around an inline module. */
export function scopeAround({ file, within }: ModuleScope, tree: ModuleTree): ModuleScope {
  return { file, within: tree.view.documentOf(file).symbols[within]?.parent ?? -1 };
}
