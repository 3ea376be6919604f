import type { Certainty, RelatedPlace } from "../../model/relation.ts";
import type { Outline, SymbolKind } from "../../model/symbol.ts";
import type { ViewFile } from "../live/view.ts";
import {
  bareName,
  briefOf,
  languageOfFile,
  ownerOf,
  symbolAround,
  symbolsNamed,
  TYPE_KINDS,
  type Definition,
} from "./definition.ts";
import { languageFamily } from "../text/language-family.ts";
import { findUses, type UnresolvedUse, type UseSource } from "./find-uses.ts";
import { definitionsNamed } from "./definitions-named.ts";
import { folderOf } from "./modules/module-rules.ts";
import { listsAfter } from "./names/argument-lists.ts";
import { typesWithMethodsOf } from "./structural-types.ts";

/** Number of generations of types that inherit from one another. */
const MAX_GENERATIONS = 6;

interface Inheriting {
  readonly type: Definition;
  readonly certainty: Certainty;
}

/** A class without a name that inherits from a type, as in `new A() { … }`. */
interface Anonymous {
  readonly file: ViewFile;
  readonly line: number;
  readonly certainty: Certainty;
}

interface Heirs {
  readonly types: readonly Inheriting[];
  readonly anonymous: readonly Anonymous[];
  readonly unresolved: readonly UnresolvedUse[];
}

interface Implementations {
  readonly places: readonly RelatedPlace[];
  /** The places that inherit from a type of this name of which it is not known which one it is. */
  readonly unresolved: readonly UnresolvedUse[];
}

const NONE: Implementations = { places: [], unresolved: [] };

/** Finds the types that inherit from a type, or the methods of such types that override a method. */
export async function implementationsOf(
  source: UseSource,
  definition: Definition,
  outlineOf: OutlineOf,
): Promise<Implementations> {
  const { view } = source;
  const brief = briefOf(view, definition);
  if (brief === undefined) return NONE;
  const { symbols } = view.documentOf(definition.file);
  if (mayBeInherited(brief.kind, definition.file)) {
    const { types, anonymous, unresolved } = await inheritingTypes(source, definition);
    const places = [
      ...types.map(({ type, certainty }) => placeOf(source, type, certainty)),
      ...anonymous.map((one) => placeOfAnonymous(source, one)),
    ];
    return { places, unresolved };
  }
  const owner = symbols[brief.parent];
  if (owner === undefined || !mayBeInherited(owner.kind, definition.file)) return NONE;
  const heirs = await inheritingTypes(source, { ...definition, symbol: brief.parent });
  const methods = heirs.types.flatMap((type) => methodsOf(source, type, brief.name));
  for (const one of heirs.anonymous) methods.push(...(await methodsOfAnonymous(source, one, brief.name)));
  const arities = await aritiesOf(source, definition, outlineOf);
  const places: RelatedPlace[] = [];
  for (const { type: method, certainty } of methods) {
    const arity = arities === undefined ? undefined : await arityOf(method, outlineOf);
    const isOverload = arity !== undefined && arities?.has(arity) === false;
    places.push(placeOf(source, method, isOverload ? "possible" : certainty));
  }
  return { places, unresolved: heirs.unresolved };
}

type OutlineOf = (file: ViewFile) => Promise<Outline | undefined>;

/** Languages in which a method with other parameters is another method, which overrides nothing. */
const HAS_OVERLOADS: ReadonlySet<string> = new Set(["java", "csharp", "cpp"]);

/** Returns the numbers of parameters of a method and its overloads; undefined if they do not matter or are not known. */
async function aritiesOf(
  { view }: UseSource,
  { file, symbol }: Definition,
  outlineOf: OutlineOf,
): Promise<ReadonlySet<number> | undefined> {
  if (!HAS_OVERLOADS.has(languageOfFile(file))) return undefined;
  const { symbols } = view.documentOf(file);
  const own = symbols[symbol];
  const found = new Set<number>();
  for (const overload of symbolsNamed(symbols, own?.name ?? "", ({ parent }) => parent === own?.parent)) {
    const arity = await arityOf({ file, symbol: overload }, outlineOf);
    if (arity === undefined) return undefined;
    found.add(arity);
  }
  return found;
}

/** Returns the number of parameters in the signature of a method; undefined if it shows none. */
async function arityOf({ file, symbol }: Definition, outlineOf: OutlineOf): Promise<number | undefined> {
  const { name = "", signature = "" } = (await outlineOf(file))?.symbols[symbol] ?? {};
  const [list] = listsAfter(signature.split("\n"), 1, bareName(name));
  return list?.isCounted === true ? list.entries.length : undefined;
}

/** Returns true for types, and in Ruby for modules, which classes include. */
function mayBeInherited(kind: SymbolKind, file: ViewFile): boolean {
  return TYPE_KINDS.has(kind) || (kind === "module" && languageOfFile(file) === "ruby");
}

/** Languages in which the methods of a type may be in other files than the type: in Go, in those of its package. */
const OPEN_TYPES: ReadonlySet<string> = new Set(["go", "csharp", "ruby"]);

/** Returns the methods of a type that have this name. */
function methodsOf({ view }: UseSource, { type, certainty }: Inheriting, name: string): Inheriting[] {
  const wanted = bareName(briefOf(view, type)?.name ?? "");
  const { symbols } = view.documentOf(type.file);
  const own = symbolsNamed(symbols, name, (one) => ownerOf(one, symbols) === wanted);
  const language = languageOfFile(type.file);
  if (own.length > 0 || !OPEN_TYPES.has(language))
    return own.map((symbol) => ({ type: { file: type.file, symbol }, certainty }));
  return definitionsNamed(view, name, language).flatMap((method): Inheriting[] => {
    const others = view.documentOf(method.file).symbols;
    const brief = others[method.symbol];
    if (brief === undefined || ownerOf(brief, others) !== wanted) return [];
    if (language !== "go") return [{ type: method, certainty: "possible" }];
    return folderOf(method.file.path) === folderOf(type.file.path) ? [{ type: method, certainty }] : [];
  });
}

/** Returns the methods with this name in the body of a class without a name: those for which it is the last one above. */
async function methodsOfAnonymous(
  { view, reader }: UseSource,
  { file, line, certainty }: Anonymous,
  name: string,
): Promise<Inheriting[]> {
  const { symbols } = view.documentOf(file);
  const others = (await reader.factsOf(file)).uses.filter(({ role }) => role === "extension");
  return symbolsNamed(symbols, name, (one) => {
    const around = symbols[one.parent];
    const isInside = around !== undefined && around.lineStart <= line && line <= around.lineEnd;
    return isInside && !TYPE_KINDS.has(around.kind) && one.lineStart >= line;
  })
    .filter((symbol) => {
      const at = symbols[symbol]?.lineStart ?? 0;
      return !others.some((other) => line < other.line && other.line <= at);
    })
    .map((symbol) => {
      const around = symbols[symbols[symbol]?.parent ?? -1];
      const isOnly = !others.some(
        (other) =>
          other.line !== line &&
          around !== undefined &&
          around.lineStart <= other.line &&
          other.line <= around.lineEnd,
      );
      return { type: { file, symbol }, certainty: isOnly ? certainty : "possible" };
    });
}

async function structuralTypes(source: UseSource, type: Definition): Promise<Inheriting[]> {
  if (languageOfFile(type.file) !== "go" || briefOf(source.view, type)?.kind !== "interface") return [];
  return (await typesWithMethodsOf(source, type)).map((one) => ({ type: one, certainty: "possible" }));
}

async function inheritingTypes(source: UseSource, first: Definition): Promise<Heirs> {
  const anonymous = new Map<string, Anonymous>();
  const unresolved: UnresolvedUse[] = [];
  const found = new Map<string, Inheriting>();
  let types: readonly Inheriting[] = [
    { type: first, certainty: "sure" },
    ...(await structuralTypes(source, first)),
  ];
  for (const one of types.slice(1)) found.set(`${one.type.file.path}:${one.type.symbol}`, one);
  for (let generation = 0; types.length > 0 && generation < MAX_GENERATIONS; generation++) {
    const next: Inheriting[] = [];
    for (const { type: base, certainty: reached } of types) {
      const { uses, unresolved: open } = await findUses(source, base);
      unresolved.push(...open.filter(({ use }) => use.role === "inheritance"));
      for (const { file, use, certainty } of uses) {
        const isSure = certainty === "sure" && reached === "sure";
        const heir = use.role === "inheritance" ? typeWithHeader(source, file, use.line) : -1;
        if (use.role === "extension" || (use.role === "inheritance" && heir < 0))
          anonymous.set(`${file.path}:${use.line}`, {
            file,
            line: use.line,
            certainty: isSure ? "sure" : "possible",
          });
        const key = `${file.path}:${heir}`;
        if (heir < 0 || found.has(key)) continue;
        const one: Inheriting = { type: { file, symbol: heir }, certainty: isSure ? "sure" : "possible" };
        found.set(key, one);
        next.push(one);
      }
    }
    types = next;
  }
  return { types: [...found.values()], anonymous: [...anonymous.values()], unresolved };
}

/** Returns the type in whose header a line is; -1 for the header of a class without a name, such as `class extends A {`. */
function typeWithHeader({ view }: UseSource, file: ViewFile, line: number): number {
  const { symbols } = view.documentOf(file);
  const symbol = symbolAround(symbols, line, ({ kind }) => mayBeInherited(kind, file));
  const start = symbols[symbol]?.lineStart ?? 0;
  const isInBody = symbols.some(
    ({ parent, lineStart, lineEnd }) =>
      parent === symbol && start < lineStart && lineStart <= line && line <= lineEnd,
  );
  // Of these languages, only those of scripts have classes without a name that say `extends`.
  return isInBody && languageFamily(languageOfFile(file)) === "script" ? -1 : symbol;
}

function placeOfAnonymous({ view }: UseSource, { file, line, certainty }: Anonymous): RelatedPlace {
  const { symbols } = view.documentOf(file);
  const around = symbols[symbolAround(symbols, line, () => true)];
  return {
    path: file.path,
    line,
    certainty,
    role: "inheritance",
    name: around === undefined ? "anonymous" : `anonymous in ${bareName(around.name)}`,
    ...(file.facts.role.test && { isTest: true as const }),
  };
}

function placeOf({ view }: UseSource, definition: Definition, certainty: Certainty): RelatedPlace {
  const brief = briefOf(view, definition);
  const owner = brief === undefined ? undefined : ownerOf(brief, view.documentOf(definition.file).symbols);
  const name = bareName(brief?.name ?? "");
  return {
    path: definition.file.path,
    line: brief?.lineStart ?? 1,
    certainty,
    role: "inheritance",
    name: owner === undefined || owner === "" ? name : `${owner}.${name}`,
    ...(definition.file.facts.role.test && { isTest: true as const }),
  };
}
