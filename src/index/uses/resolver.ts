import type { ModuleLink, NameUse } from "../../model/use.ts";
import type { View, ViewFile } from "../live/view.ts";
import {
  bareName,
  briefOf,
  isOutermost,
  isSameDefinition,
  ownerOf,
  symbolAround,
  symbolsNamed,
  TYPE_KINDS,
  type Definition,
} from "./definition.ts";
import type { ModuleRules, ModuleTarget, ModuleTree } from "./modules/module-rules.ts";

/**
 * What a name refers to. `module` is a file as a module, `outside` a name of a dependency or of the language itself,
 * `unknown` means that the name may refer to anything.
 */
export type Entity =
  | { readonly kind: "definition"; readonly definition: Definition }
  | { readonly kind: "module"; readonly file: ViewFile }
  | { readonly kind: "outside" }
  | { readonly kind: "missing" }
  | { readonly kind: "unknown" };

const UNKNOWN: readonly Entity[] = [{ kind: "unknown" }];
const OUTSIDE: readonly Entity[] = [{ kind: "outside" }];
const MISSING: readonly Entity[] = [{ kind: "missing" }];

/** Number of steps through re-exports and base classes after which a name counts as unknown. */
const MAX_STEPS = 24;

/** Finds what names refer to, by the rules of one language. */
export interface Resolver {
  /** Returns what a use in a file refers to; several entities if it may be each of them. */
  entitiesOf(file: ViewFile, position: number): Promise<readonly Entity[]>;
  /** Returns what a name refers to that stands alone at the top of a file. */
  nameIn(file: ViewFile, name: string): Promise<readonly Entity[]>;
  /** Returns what a module makes available under a name. */
  exportsOf(file: ViewFile, name: string): Promise<readonly Entity[]>;
  /** Returns the types that a type inherits from; undefined stands for one that is not in the project. */
  basesOf(type: Definition): Promise<readonly (Definition | undefined)[]>;
}

/** The state of resolving names by the rules of one language. */
interface Resolution {
  readonly tree: ModuleTree;
  readonly rules: ModuleRules;
  readonly names: Map<string, Promise<readonly Entity[]>>;
  readonly targets: Map<string, Promise<ModuleTarget>>;
}

export function createResolver(tree: ModuleTree, rules: ModuleRules): Resolver {
  const at: Resolution = { tree, rules, names: new Map(), targets: new Map() };
  return {
    entitiesOf: (file, position) => entitiesOf(at, file, position),
    nameIn: (file, name) => nameIn(at, file, name),
    exportsOf: (file, name) => exported(at, file, name, 0),
    basesOf: (type) => bases(at, type),
  };
}

function target(at: Resolution, module: string, from: ViewFile): Promise<ModuleTarget> {
  const key = `${from.path}\0${module}`;
  const known = at.targets.get(key) ?? at.rules.find(module, from, at.tree);
  at.targets.set(key, known);
  return known;
}

/** Follows one binding of a link to what it names. */
async function follow(
  at: Resolution,
  link: ModuleLink,
  name: string,
  from: ViewFile,
  steps: number,
): Promise<readonly Entity[]> {
  const found = await target(at, link.module, from);
  if (found === "outside") return OUTSIDE;
  if (found === "missing") return MISSING;
  const modules = found.map((file): Entity => ({ kind: "module", file }));
  if (name === "*") return modules;
  const entities = await Promise.all(
    found.map((file) => exported(at, file, name === "=" ? "default" : name, steps + 1)),
  );
  const known = entities.flat().filter(({ kind }) => kind !== "missing");
  if (name === "=") return [...modules, ...known];
  return known.length > 0 ? known : MISSING;
}

/** Returns what a module makes available under a name: its own definitions and what it passes on. */
async function exported(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  if (steps > MAX_STEPS) return UNKNOWN;
  const { links } = await at.tree.factsOf(file);
  const { symbols } = at.tree.view.documentOf(file);
  for (const link of links) {
    if (link.kind !== "export" && at.rules.exportsImports !== true) continue;
    for (const binding of link.names) {
      const isWhole = link.kind === "import" && binding.name === "*";
      if ((isWhole ? binding.as.split(".")[0] : binding.as) !== name) continue;
      if (link.module === "") return atTop(at, file, binding.name, steps + 1);
      if (isWhole && binding.as.includes(".")) return follow(at, { ...link, module: name }, "*", file, steps);
      const found = await follow(at, link, binding.name, file, steps);
      if (found !== MISSING || link.kind === "export") return found;
      // In Python, `from package import name` may name a submodule.
      const inside = await submoduleOf(at, link, binding.name, file);
      if (inside.length > 0) return inside;
      return found;
    }
  }
  const own = symbolsNamed(symbols, name, (brief) => isOutermost(brief, symbols));
  if (own.length > 0) return own.map((symbol) => ({ kind: "definition", definition: { file, symbol } }));
  const submodules = (at.rules.submodule?.(file, name, at.tree) ?? []).map((one): Entity => ({
    kind: "module",
    file: one,
  }));
  if (submodules.length > 0) return submodules;
  return throughAll(at, file, name, steps);
}

/** Looks for a name in the modules from which a file passes on everything. */
async function throughAll(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  const { links } = await at.tree.factsOf(file);
  let last: readonly Entity[] = MISSING;
  for (const link of links) {
    if (!link.all || (link.kind !== "export" && at.rules.exportsImports !== true)) continue;
    const found = await follow(at, link, name, file, steps + 1);
    if (found.some(({ kind }) => kind === "definition" || kind === "module")) return found;
    if (found === OUTSIDE || found === UNKNOWN) last = UNKNOWN;
  }
  return last;
}

async function submoduleOf(
  at: Resolution,
  link: ModuleLink,
  name: string,
  from: ViewFile,
): Promise<readonly Entity[]> {
  const found = await target(at, `${link.module}${link.module.endsWith(".") ? "" : "."}${name}`, from);
  return typeof found === "string" ? [] : found.map((file): Entity => ({ kind: "module", file }));
}

/** Resolves a name at the top of a file: its own definitions, its imports, and its neighbours. */
async function atTop(
  at: Resolution,
  file: ViewFile,
  name: string,
  steps: number,
): Promise<readonly Entity[]> {
  if (steps > MAX_STEPS) return UNKNOWN;
  const { symbols } = at.tree.view.documentOf(file);
  const own = symbolsNamed(symbols, name, (brief) => isOutermost(brief, symbols));
  const definitions = own.map((symbol): Entity => ({ kind: "definition", definition: { file, symbol } }));
  const { links } = await at.tree.factsOf(file);
  const bound: Entity[] = [];
  for (const link of links) {
    if (link.kind !== "import") continue;
    for (const binding of link.names) {
      const isPath = binding.name === "*" && binding.as.includes(".") && binding.as === link.module;
      if ((isPath ? binding.as.split(".")[0] : binding.as) !== name) continue;
      if (isPath) bound.push(...(await follow(at, { ...link, module: name }, "*", file, steps)));
      else {
        const found = await follow(at, link, binding.name, file, steps);
        bound.push(
          ...(found === MISSING && at.rules.submodule !== undefined
            ? await orSubmodule(at, link, binding.name, file)
            : found),
        );
      }
    }
  }
  // A variable that only holds an imported module is both a definition and the module.
  if (definitions.length > 0 || bound.length > 0) return [...definitions, ...bound];
  return beyond(at, file, name, steps);
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
  const { links } = await at.tree.factsOf(file);
  let last: readonly Entity[] = OUTSIDE;
  for (const link of links) {
    if (!link.all || link.kind !== "import") continue;
    const found = await follow(at, link, name, file, steps + 1);
    if (found.some(({ kind }) => kind === "definition" || kind === "module")) return found;
    if (found === MISSING || found === UNKNOWN) last = found === UNKNOWN ? UNKNOWN : last;
  }
  for (const other of (await at.rules.neighbours?.(file, at.tree)) ?? []) {
    const { symbols } = at.tree.view.documentOf(other);
    const found = symbolsNamed(symbols, name, (brief) => isOutermost(brief, symbols));
    if (found.length > 0)
      return found.map((symbol) => ({ kind: "definition", definition: { file: other, symbol } }));
  }
  return last;
}

function nameIn(at: Resolution, file: ViewFile, name: string): Promise<readonly Entity[]> {
  const key = `${file.path}\0${name}`;
  const known = at.names.get(key) ?? atTop(at, file, name, 0);
  at.names.set(key, known);
  return known;
}

/** Returns the members of a type with this name, in the type itself and then in the types it inherits from. */
async function memberOf(
  at: Resolution,
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

async function ownMembers(at: Resolution, type: Definition, name: string): Promise<Definition[]> {
  const brief = briefOf(at.tree.view, type);
  if (brief === undefined) return [];
  const wanted = bareName(brief.name);
  const files =
    at.rules.hasOpenTypes === true
      ? [type.file, ...((await at.rules.neighbours?.(type.file, at.tree)) ?? [])]
      : [type.file];
  return files.flatMap((file) => {
    const { symbols } = at.tree.view.documentOf(file);
    const isMember =
      file.path === type.file.path && at.rules.hasOpenTypes !== true
        ? (one: { readonly parent: number; readonly owner?: string }) =>
            one.parent === type.symbol || (one.owner !== undefined && bareName(one.owner) === wanted)
        : undefined;
    return symbolsNamed(symbols, name, (one) => isMember?.(one) ?? ownerOf(one, symbols) === wanted).map(
      (symbol) => ({ file, symbol }),
    );
  });
}

async function bases(at: Resolution, type: Definition): Promise<readonly (Definition | undefined)[]> {
  const brief = briefOf(at.tree.view, type);
  if (brief === undefined) return [];
  const { symbols } = at.tree.view.documentOf(type.file);
  const { uses } = await at.tree.factsOf(type.file);
  const found: (Definition | undefined)[] = [];
  for (const [position, { role, line }] of uses.entries()) {
    if (role !== "inheritance" || line < brief.lineStart || line > brief.lineEnd) continue;
    // Types inside this one inherit for themselves.
    if (symbolAround(symbols, line, ({ kind }) => TYPE_KINDS.has(kind)) !== type.symbol) continue;
    const entities = await entitiesOf(at, type.file, position);
    const definitions = entities.flatMap((entity) =>
      entity.kind === "definition" ? [entity.definition] : [],
    );
    found.push(...(definitions.length > 0 ? definitions.slice(0, 1) : [undefined]));
  }
  return found;
}

/** Resolves a member of what the use before it refers to. */
async function memberOfEntity(at: Resolution, entity: Entity, name: string): Promise<readonly Entity[]> {
  switch (entity.kind) {
    case "module":
      return exported(at, entity.file, name, 0);
    case "definition": {
      const brief = briefOf(at.tree.view, entity.definition);
      if (brief === undefined) return UNKNOWN;
      if (TYPE_KINDS.has(brief.kind)) {
        const found = await memberOf(at, entity.definition, name);
        return found.length > 0 ? found : UNKNOWN;
      }
      const { symbols } = at.tree.view.documentOf(entity.definition.file);
      const inside = symbolsNamed(symbols, name, ({ parent }) => parent === entity.definition.symbol);
      if (inside.length === 0) return UNKNOWN;
      return inside.map((symbol) => ({
        kind: "definition",
        definition: { file: entity.definition.file, symbol },
      }));
    }
    case "outside":
    case "missing":
    case "unknown":
      break;
  }
  return [entity];
}

/** Resolves a name after `this` or `super`, by the type around the line. */
async function ofOwnType(
  at: Resolution,
  file: ViewFile,
  { name, line, receiver }: NameUse,
): Promise<readonly Entity[]> {
  const { symbols } = at.tree.view.documentOf(file);
  const symbol = symbolAround(symbols, line, ({ kind }) => TYPE_KINDS.has(kind));
  if (symbol < 0) return UNKNOWN;
  const type = { file, symbol };
  if (receiver === "super") {
    for (const base of await bases(at, type)) {
      const found = base === undefined ? UNKNOWN : await memberOf(at, base, name);
      if (found.length > 0) return found;
    }
    return UNKNOWN;
  }
  const found = await memberOf(at, type, name);
  return found.length > 0 ? found : UNKNOWN;
}

/** Resolves a name that a definition inside the function around it binds. */
function ofFunction(at: Resolution, file: ViewFile, { name, line }: NameUse): readonly Entity[] {
  const { symbols } = at.tree.view.documentOf(file);
  const found = symbolsNamed(symbols, name, ({ parent }) => {
    const around = symbols[parent];
    return around === undefined || (around.lineStart <= line && line <= around.lineEnd);
  });
  const depth = (symbol: number): number => symbols[symbols[symbol]?.parent ?? -1]?.lineStart ?? 0;
  const deepest = Math.max(...found.map(depth));
  return found
    .filter((symbol) => depth(symbol) === deepest)
    .map((symbol) => ({ kind: "definition", definition: { file, symbol } }));
}

/** Resolves a name in an export statement, which may be a name of the module that the statement passes on. */
async function exportedName(
  at: Resolution,
  file: ViewFile,
  { name, line }: NameUse,
): Promise<readonly Entity[]> {
  const { links } = await at.tree.factsOf(file);
  const link = links.findLast(
    (one) =>
      one.kind === "export" &&
      one.module !== "" &&
      one.line <= line &&
      one.names.some((binding) => binding.name === name),
  );
  return link === undefined ? nameIn(at, file, name) : follow(at, link, name, file, 0);
}

async function entitiesOf(at: Resolution, file: ViewFile, position: number): Promise<readonly Entity[]> {
  const { uses } = await at.tree.factsOf(file);
  const use = uses[position];
  if (use === undefined) return UNKNOWN;
  switch (use.receiver) {
    case "none": {
      if (at.rules.hasImplicitThis === true) {
        const found = await ofOwnType(at, file, use);
        if (found.some(({ kind }) => kind === "definition")) return found;
      }
      return use.role === "export" ? exportedName(at, file, use) : nameIn(at, file, use.name);
    }
    case "local":
      return ofFunction(at, file, use);
    case "previous": {
      const before = await entitiesOf(at, file, position - 1);
      return (await Promise.all(before.map((entity) => memberOfEntity(at, entity, use.name)))).flat();
    }
    case "self":
    case "super":
      return ofOwnType(at, file, use);
    case "unknown":
    case "key":
      break;
  }
  return UNKNOWN;
}

/** Returns true if one of the entities is the definition. */
export function refersTo(view: View, entities: readonly Entity[], wanted: Definition): boolean {
  return entities.some(
    (entity) => entity.kind === "definition" && isSameDefinition(view, entity.definition, wanted),
  );
}
