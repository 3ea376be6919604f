import type { DefinitionMark, ModuleBinding, ModuleLink, NameUse } from "../../model/use.ts";
import type { ViewFile } from "../live/view.ts";
import type { SymbolBrief } from "../store/record.ts";
import { briefOf, isOutermost, symbolsNamed, type Definition } from "./definition.ts";
import { definitionsNamed } from "./definitions-named.ts";
import {
  MISSING,
  OUTSIDE,
  OUTSIDE_MODULE,
  OUTSIDE_NAME,
  refersTo,
  UNKNOWN,
  VALUE,
  type Entity,
} from "./entity.ts";
import type { ModuleRules, ModuleTarget, ModuleTree } from "./modules/module-rules.ts";

/** Number of steps through re-exports and base classes after which a name counts as unknown. */
export const MAX_STEPS = 24;

/** The state of resolving names by the rules of one language. */
export interface Resolution {
  readonly tree: ModuleTree;
  readonly rules: ModuleRules;
  readonly names: Map<string, Promise<readonly Entity[]>>;
  readonly targets: Map<string, Promise<ModuleTarget>>;
  /** Resolves a member of what a name refers to. */
  readonly memberOf: (entity: Entity, name: string) => Promise<readonly Entity[]>;
}

function target(
  at: Resolution,
  module: string,
  from: ViewFile,
  names: readonly ModuleBinding[] = [],
): Promise<ModuleTarget> {
  const isRequired = names.some(({ name }) => name === "=");
  const key = `${from.path}\0${module}\0${isRequired}`;
  const known = at.targets.get(key) ?? at.rules.find(module, from, at.tree, isRequired);
  at.targets.set(key, known);
  return known;
}

/** Names of bindings that stand for a whole module. */
const WHOLE: ReadonlySet<string> = new Set(["*", "=", "default"]);

/** Follows one binding of a link to what it names. */
export async function follow(
  at: Resolution,
  link: ModuleLink,
  name: string,
  from: ViewFile,
  steps: number,
): Promise<readonly Entity[]> {
  if (link.isLocal === true) return memberOfLocal(at, link, name, from, steps);
  const found = await target(at, link.module, from, link.names);
  if (found === "outside") return WHOLE.has(name) ? OUTSIDE_MODULE : OUTSIDE_NAME;
  if (found === "missing") return MISSING;
  const modules = found.map((file): Entity => ({ kind: "module", file }));
  if (name === "*") return modules;
  // In Python, `from . import name` in a package names a submodule, not what the package itself imports.
  if (found.some(({ path }) => path === from.path)) {
    const inside = await submoduleOf(at, link, name, from);
    if (inside.length > 0) return inside;
  }
  const entities = await Promise.all(
    found.map((file) => (name === "=" ? required(at, file, steps + 1) : imported(at, file, name, steps + 1))),
  );
  const known = entities.flat().filter(({ kind }) => kind !== "missing");
  if (name === "=") return [...modules, ...known];
  return known.length > 0 ? known : MISSING;
}

/**
 * Follows a statement such as `const { a } = module`. Only the members of modules and namespaces are known to stay what
 * they are; those of other values are values themselves.
 */
async function memberOfLocal(
  at: Resolution,
  { module }: ModuleLink,
  name: string,
  from: ViewFile,
  steps: number,
): Promise<readonly Entity[]> {
  const [first = "", ...rest] = module.split(".");
  let found = await atTop(at, from, first, steps + 1);
  for (const part of [...rest, name]) {
    const members: Entity[] = [];
    for (const one of found) members.push(...(await memberOfNamespace(at, one, part)));
    const known = members.filter(({ kind }) => kind !== "missing");
    found = known.length > 0 ? known : MISSING;
  }
  return found;
}

async function memberOfNamespace(at: Resolution, entity: Entity, name: string): Promise<readonly Entity[]> {
  if (entity.kind === "module") return at.memberOf(entity, name);
  if (entity.kind !== "definition") return [entity];
  const kind = briefOf(at.tree.view, entity.definition)?.kind;
  return kind === "namespace" || kind === "module" ? at.memberOf(entity, name) : VALUE;
}

/** Returns what an import of a name of a module gets: as default from CommonJS, also the module itself. */
export async function imported(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  const found = await exported(at, file, name, steps);
  const isWhole =
    name === "default" && at.rules.hasExports?.(file) === true && !(await at.tree.factsOf(file)).isModule;
  return isWhole ? [{ kind: "module", file }, ...found.filter(({ kind }) => kind !== "missing")] : found;
}

/** Returns what a call of `require` returns in addition to the module itself. */
async function required(at: Resolution, file: ViewFile, steps: number): Promise<readonly Entity[]> {
  const whole = await exported(at, file, "=", steps);
  if (whole !== MISSING) return whole;
  return (await at.tree.factsOf(file)).isModule ? MISSING : exported(at, file, "default", steps);
}

/** Returns what a module makes available under a name: its own definitions and what it passes on. */
export async function exported(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  if (steps > MAX_STEPS) return UNKNOWN;
  const passedOn = await passedOnAs(at, file, name, steps);
  const own = await visible(at, file, name, "other files");
  if (passedOn.length > 0) return eachExport(at, file, passedOn, own);
  if (own.length > 0) return eachExport(at, file, [], own);
  const submodules = (at.rules.submodule?.(file, name, at.tree) ?? []).map((one): Entity => ({
    kind: "module",
    file: one,
  }));
  if (submodules.length > 0) return submodules;
  const found = await throughAll(at, file, name, steps);
  return found === MISSING && at.rules.isWholeValue?.(file) === true ? VALUE : found;
}

/** Returns true for a definition that other files see by its name, and its own file does not. */
function isExportedOnly(mark: DefinitionMark | undefined): boolean {
  return mark === "exported" || mark === "entry";
}

/** What one statement of a file makes available under a name. */
interface PassedOn {
  readonly line: number;
  readonly entities: readonly Entity[];
}

/** Returns what the statements of a file pass on under a name; several may do so, of which a condition chooses one. */
async function passedOnAs(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly PassedOn[]> {
  const { links } = await at.tree.factsOf(file);
  const found: PassedOn[] = [];
  for (const link of links) {
    if (link.kind !== "export" && (at.rules.exportsImports !== true || link.isInner === true)) continue;
    for (const binding of link.names) {
      const isWhole = link.kind === "import" && binding.name === "*";
      if ((isWhole ? binding.as.split(".")[0] : binding.as) !== name) continue;
      found.push({ line: link.line, entities: await passedOn(at, file, { link, binding, name, steps }) });
    }
  }
  return found;
}

async function passedOn(
  at: Resolution,
  file: ViewFile,
  wanted: { link: ModuleLink; binding: ModuleBinding; name: string; steps: number },
): Promise<readonly Entity[]> {
  const { link, binding, name, steps } = wanted;
  if (link.module === "") {
    if (binding.name === "") return VALUE;
    return binding.name === "?" ? UNKNOWN : exportedHere(at, file, binding.name, steps + 1);
  }
  const isPath = link.kind === "import" && binding.name === "*" && binding.as.includes(".");
  if (isPath) return follow(at, { ...link, module: name }, "*", file, steps);
  const found = await follow(at, link, binding.name, file, steps);
  if (found !== MISSING || link.kind === "export") return found;
  // In Python, `from package import name` may name a submodule.
  return orSubmodule(at, link, binding.name, file);
}

/**
 * Returns everything that a file exports under one name. If several statements do so, which of them counts is known only
 * when the program runs, so that each is possible.
 */
async function eachExport(
  at: Resolution,
  file: ViewFile,
  passed: readonly PassedOn[],
  own: readonly Entity[],
): Promise<readonly Entity[]> {
  if (passed.length === 1 && own.length === 0) return passed[0]?.entities ?? MISSING;
  const { marks } = await at.tree.factsOf(file);
  const { symbols } = at.tree.view.documentOf(file);
  // Without statements that name it, a definition may be exported in ways that are not seen.
  const set =
    at.rules.exportsImports === true || passed.length === 0
      ? own
      : own.filter((one) => one.kind === "definition" && isExportedOnly(marks.get(one.definition.symbol)));
  const all = [...passed.flatMap(({ entities }) => entities), ...set];
  if (all.every(({ kind }) => kind === "missing")) return MISSING;
  const assigned = set.flatMap((one) =>
    one.kind === "definition" && isExportedOnly(marks.get(one.definition.symbol))
      ? [symbols[one.definition.symbol]?.lineStart ?? 0]
      : [],
  );
  // The statement `exports.a = b` is both a definition of `a` and a link to `b`.
  const statements = new Set([...assigned, ...passed.map(({ line }) => line)]).size;
  if (at.rules.exportsImports === true || Math.max(statements, passed.length) < 2) return all;
  const isAlias = assigned.every((line) => passed.some((one) => one.line === line));
  const meant = passed.flatMap(({ entities }) => entities);
  return isAlias && isOneDefinition(at, meant) ? all : all.map(asPossible);
}

/** Returns true if all entities are the same definition. */
function isOneDefinition({ tree: { view } }: Resolution, [first, ...others]: readonly Entity[]): boolean {
  return first?.kind === "definition" && others.every((one) => refersTo(view, [one], first.definition));
}

/** Follows a link that brings in all names of a module, except those that the module keeps for itself. */
async function followAll(
  at: Resolution,
  link: ModuleLink,
  name: string,
  from: ViewFile,
  steps: number,
): Promise<readonly Entity[]> {
  const found = await target(at, link.module, from, link.names);
  if (typeof found !== "string" && at.rules.isKept !== undefined)
    for (const file of found) if (await at.rules.isKept(file, name, at.tree)) return MISSING;
  return follow(at, link, name, from, steps);
}

/** Looks for a name in the modules from which a file passes on everything. */
async function throughAll(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  // The value of a module as a whole, and in JavaScript its default export, are not passed on with its names.
  if (name === "=" || (name === "default" && at.rules.hasExports?.(file) === true)) return MISSING;
  const { links } = await at.tree.factsOf(file);
  let last: readonly Entity[] = MISSING;
  // In Python the last import wins; elsewhere the order is of no meaning.
  for (const link of links.toReversed()) {
    if (!link.all || (link.kind !== "export" && at.rules.exportsImports !== true)) continue;
    const found = await followAll(at, link, name, file, steps + 1);
    if (found.some(({ kind }) => kind === "definition" || kind === "module")) return found;
    if (found === OUTSIDE_NAME || found === UNKNOWN) last = UNKNOWN;
  }
  return last;
}

async function submoduleOf(
  at: Resolution,
  link: ModuleLink,
  name: string,
  from: ViewFile,
): Promise<readonly Entity[]> {
  if (at.rules.submodule === undefined) return [];
  const found = await target(at, `${link.module}${link.module.endsWith(".") ? "" : "."}${name}`, from);
  return typeof found === "string" ? [] : found.map((file): Entity => ({ kind: "module", file }));
}

/**
 * Returns the definitions of a name that are visible at the top of a file, or in files that import from it. Those of
 * which the visibility is not known are possible.
 */
async function visible(
  at: Resolution,
  file: ViewFile,
  name: string,
  where: "own file" | "other files",
): Promise<Entity[]> {
  const { symbols } = at.tree.view.documentOf(file);
  const named = symbolsNamed(
    symbols,
    name,
    (brief) =>
      isOutermost(brief, symbols) &&
      !(brief.kind === "namespace" && brief.name.includes(".")) &&
      // The name of the package of a file is no name in the file.
      !(brief.kind === "module" && at.rules.packageName !== undefined),
  );
  const paths = namespacesBelow(symbols, name).map((symbol): Entity => ({
    kind: "definition",
    definition: { file, symbol },
    path: name,
  }));
  if (named.length === 0) return paths;
  const { marks, isModule } = await at.tree.factsOf(file);
  const hasExports = where === "other files" && at.rules.hasExports?.(file) === true;
  const found = named.flatMap((symbol): Entity[] => {
    const mark = marks.get(symbol);
    const entity: Entity = { kind: "definition", definition: { file, symbol } };
    if (mark === "inner") return [];
    if (where === "own file" && mark === "hoisted")
      return [{ kind: "definition", definition: { file, symbol, isInner: true }, isPossible: true }];
    if (where === "own file") return isExportedOnly(mark) ? [] : [entity];
    if (isExportedOnly(mark) || !hasExports) return [entity];
    if (isModule) return mark === undefined ? [entity] : [];
    return [{ ...entity, isPossible: true }];
  });
  return [...found, ...paths];
}

/** Returns the namespaces at the top of a file whose name is a path that begins with this name, as `a.b` does with `a`. */
function namespacesBelow(symbols: readonly SymbolBrief[], name: string): number[] {
  return symbols.flatMap(({ kind, parent, name: path }, symbol) =>
    kind === "namespace" && parent < 0 && path.startsWith(`${name}.`) ? [symbol] : [],
  );
}

/** Returns what a name refers to that a file exports. The statement may be inside of a function, as the definition then is. */
async function exportedHere(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  const { symbols } = at.tree.view.documentOf(file);
  const { marks } = await at.tree.factsOf(file);
  const outermost = symbolsNamed(symbols, name, (brief) => isOutermost(brief, symbols));
  const inner = outermost.filter((symbol) => marks.get(symbol) === "inner");
  if (inner.length === 0 || inner.length < outermost.length) return atTop(at, file, name, steps);
  return inner.map((symbol) => ({
    kind: "definition",
    definition: { file, symbol, isInner: true },
    ...(inner.length > 1 && { isPossible: true as const }),
  }));
}

/** Resolves a name at the top of a file: its own definitions, its imports, and its neighbours. */
async function atTop(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  if (steps > MAX_STEPS) return UNKNOWN;
  const definitions = await visible(at, file, name, "own file");
  const { links } = await at.tree.factsOf(file);
  const bound: Entity[] = [];
  for (const link of links) {
    if (link.kind !== "import" || link.isInner === true) continue;
    bound.push(...((await boundBy(at, link, name, file, steps)) ?? []));
  }
  // Where imports are statements like any other, the name is what was assigned last before its use.
  if (at.rules.exportsImports === true && bound.length > 0) return [...definitions.map(asPossible), ...bound];
  // A variable that only holds an imported module is both a definition and the module.
  if (definitions.length > 0 || bound.length > 0) return [...definitions, ...bound];
  return beyond(at, file, name, steps);
}

function asPossible(entity: Entity): Entity {
  return entity.kind === "definition" ? { ...entity, isPossible: true } : entity;
}

/** Returns what an import binds to a name; undefined if it does not bind the name. */
export async function boundBy(
  at: Resolution,
  link: ModuleLink,
  name: string,
  file: ViewFile,
  steps: number,
): Promise<readonly Entity[] | undefined> {
  let bound: Entity[] | undefined;
  for (const binding of link.names) {
    if (binding.as === "") {
      const found = await packageNamed(at, link, name, file);
      if (found.length > 0) bound = [...(bound ?? []), ...found];
      continue;
    }
    const isPath = binding.name === "*" && binding.as.includes(".") && binding.as === link.module;
    if ((isPath ? binding.as.split(".")[0] : binding.as) !== name) continue;
    if (binding.name === "?") {
      bound = [...(bound ?? []), ...UNKNOWN];
      continue;
    }
    const whole = isPath
      ? await follow(at, { ...link, module: name }, "*", file, steps)
      : await follow(at, link, binding.name, file, steps);
    // The path may lead through any number of modules: `import a.b.c.d`.
    const found = isPath && whole === OUTSIDE_MODULE ? OUTSIDE : whole;
    const isSubmodule = found === MISSING && !isPath && at.rules.submodule !== undefined;
    bound = [...(bound ?? []), ...(isSubmodule ? await orSubmodule(at, link, binding.name, file) : found)];
  }
  return bound;
}

/** Returns the files of a package that is imported without an alias, if this is its name. */
async function packageNamed(
  at: Resolution,
  { module }: ModuleLink,
  name: string,
  from: ViewFile,
): Promise<readonly Entity[]> {
  const found = await target(at, module, from);
  // The name of a package that is not there is probably the last part of its path.
  if (found === "missing" && (module === name || module.endsWith(`/${name}`))) return MISSING;
  const [first] = typeof found === "string" ? [] : found;
  if (first === undefined || at.rules.packageName?.(first, at.tree) !== name) return [];
  return typeof found === "string" ? [] : found.map((file): Entity => ({ kind: "module", file }));
}

async function orSubmodule(
  at: Resolution,
  link: ModuleLink,
  name: string,
  file: ViewFile,
): Promise<readonly Entity[]> {
  const inside = await submoduleOf(at, link, name, file);
  return inside.length > 0 ? inside : MISSING;
}

/** Resolves a name that a file neither defines nor imports by name. */
async function beyond(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  const imports = (await at.tree.factsOf(file)).links.filter(({ all, kind }) => all && kind === "import");
  const isVariable = imports.length === 0 && at.rules.isBuiltIn?.(name) === false;
  const elsewhere = at.rules.globalObjects?.has(name) === true ? OUTSIDE_NAME : OUTSIDE;
  let last: readonly Entity[] = isVariable ? VALUE : elsewhere;
  for (const link of imports.toReversed()) {
    const found = await followAll(at, link, name, file, steps + 1);
    if (found.some(({ kind }) => kind === "definition" || kind === "module")) return found;
    if (found === MISSING || found === UNKNOWN) last = found === UNKNOWN ? UNKNOWN : last;
  }
  const near: Entity[] = [];
  for (const other of (await at.rules.neighbours?.(file, at.tree)) ?? []) {
    near.push(...(await visible(at, other, name, "own file")));
    if (near.length > 0 && at.rules.hasOneDefinition !== true) return near;
  }
  if (near.length > 0) return near;
  const shared = await sharedNames(at, file, name);
  return shared.length > 0 ? shared : last;
}

/** Returns the definitions of a name in other files that are no modules. A page may load them together with this file. */
async function sharedNames(at: Resolution, from: ViewFile, name: string): Promise<readonly Entity[]> {
  const { rules, tree } = at;
  if (rules.isShared === undefined) return [];
  const found: Entity[] = [];
  for (const definition of definitionsNamed(tree.view, name, rules.languages[0] ?? "")) {
    const { symbols } = tree.view.documentOf(definition.file);
    const brief = symbols[definition.symbol];
    if (brief === undefined || brief.kind === "import" || !isOutermost(brief, symbols)) continue;
    if (definition.file.path !== from.path && (await rules.isShared(definition.file, tree)))
      found.push({ kind: "definition", definition, isPossible: true });
  }
  return found;
}

/**
 * Returns true if a file loads a module with this definition without binding it to a name at its top, as by `require`
 * in a function or by `import(…).then(…)`, so that a name behind a value may be the definition.
 */
export async function isLoaded(
  at: Resolution,
  file: ViewFile,
  name: string,
  wanted: Definition,
): Promise<boolean> {
  const { links, uses } = await at.tree.factsOf(file);
  for (const link of links) {
    if (link.kind !== "import" || link.all || link.isLocal === true) continue;
    if (!link.names.every((one) => isLoose(one, uses))) continue;
    if (refersTo(at.tree.view, await follow(at, link, name, file, 0), wanted)) return true;
  }
  return false;
}

/**
 * Returns true for the result of a call of `require` or `import`, for a member of one that has no name, and for a module
 * that the file uses as a value or type, as in `lib: typeof module`.
 */
function isLoose({ name, as }: ModuleBinding, uses: readonly NameUse[]): boolean {
  if (name === "=" || name === "?" || as === "") return true;
  return (
    name === "*" &&
    uses.some(
      (use, position) =>
        use.name === as && use.receiver === "none" && uses[position + 1]?.receiver !== "previous",
    )
  );
}

/** Returns what a name refers to that stands alone at the top of a file. */
export function nameIn(at: Resolution, file: ViewFile, name: string): Promise<readonly Entity[]> {
  const key = `${file.path}\0${name}`;
  const known = at.names.get(key) ?? atTop(at, file, name, 0);
  at.names.set(key, known);
  return known;
}
