import { isCall } from "../../../model/use.ts";
import { briefOf, type Definition } from "../definition.ts";
import type { ModuleTree } from "../modules/module-rules.ts";
import { listsAfter, type ArgumentList } from "./argument-lists.ts";
import type { NameEntity, NamePlace } from "./name-rules.ts";

type Lines = (path: string) => Promise<readonly string[]>;

/** The methods of one name that a type has itself, and those that it inherits. */
interface Overloads {
  readonly own: readonly NameEntity[];
  readonly inherited: readonly NameEntity[];
}

/** Creates a reader of the lines of files, which reads each of them once. */
export function createLines(tree: ModuleTree): Lines {
  const known = new Map<string, Promise<readonly string[]>>();
  return (path) => {
    const lines = known.get(path) ?? tree.textOf(path).then((text) => text?.split("\n") ?? []);
    known.set(path, lines);
    return lines;
  };
}

/**
 * Chooses between the methods of a type and those of the same name that it inherits, by the number of arguments. A
 * method with the parameters of an inherited one replaces it; if several are left, each is possible.
 */
export async function chooseOverloads(
  { tree, lines }: { readonly tree: ModuleTree; readonly lines: Lines },
  { own, inherited }: Overloads,
  { file, use }: NamePlace,
): Promise<readonly NameEntity[]> {
  const [ownMethods, others] = [methodsAmong(tree, own), methodsAmong(tree, inherited)];
  if (ownMethods.length === 0 || others.length === 0) return own;
  const parametersOf = (one: Definition): Promise<ArgumentList | undefined> => parametersAt(tree, lines, one);
  const ownLists = await Promise.all(ownMethods.map(parametersOf));
  const added: { readonly definition: Definition; readonly list: ArgumentList | undefined }[] = [];
  for (const definition of others) {
    const list = await parametersOf(definition);
    if (!ownLists.some((one) => replaces(one, list))) added.push({ definition, list });
  }
  if (added.length === 0) return own;
  const count = isCall(use.role)
    ? countAt(listsAfter(await lines(file.path), use.line, use.name))
    : undefined;
  const fitting = added.filter(({ list }) => count === undefined || takes(list, count));
  if (fitting.length === 0) return own;
  const isInherited = count !== undefined && !ownLists.some((list) => takes(list, count));
  const isOpen = !isInherited || fitting.some(({ list }) => list === undefined);
  const entities = fitting.map(({ definition }): NameEntity => ({ kind: "definition", definition }));
  const meant = isInherited ? entities : [...own, ...entities];
  return isOpen
    ? meant.map((one) => (one.kind === "definition" ? { ...one, isPossible: true } : one))
    : meant;
}

function methodsAmong({ view }: ModuleTree, entities: readonly NameEntity[]): Definition[] {
  return entities.flatMap((one) =>
    one.kind === "definition" && briefOf(view, one.definition)?.kind === "method" ? [one.definition] : [],
  );
}

/** Returns the number of arguments of the calls on a line; undefined if they differ or it does not show. */
function countAt(lists: readonly ArgumentList[]): number | undefined {
  const counts = new Set(lists.map(({ entries }) => entries.length));
  return counts.size === 1 && lists.every(({ isCounted }) => isCounted)
    ? lists[0]?.entries.length
    : undefined;
}

const TAKES_MANY = /\.\.\.|^(?:\[[^\]]*\]\s*)?params\s/u;

/** Returns true if a method may be called with a number of arguments. */
function takes(list: ArgumentList | undefined, count: number): boolean {
  if (list === undefined) return true;
  const { entries } = list;
  const hasMany = TAKES_MANY.test(entries.at(-1) ?? "");
  const least = entries.filter((entry) => !entry.includes("=") && !TAKES_MANY.test(entry)).length;
  return count >= least && (hasMany || count <= entries.length);
}

/** Matches what is by custom the name of a type parameter. */
const TYPE_PARAMETER = /^(?:\p{Lu}\d?|T\p{Lu}\w*)$/u;

/** Returns true if a method with the first parameters overrides one with the others. */
function replaces(one: ArgumentList | undefined, other: ArgumentList | undefined): boolean {
  if (one === undefined || other?.entries.length !== one.entries.length) return false;
  return one.entries.every((entry, position) => {
    const type = typeOf(other.entries[position] ?? "");
    return type === typeOf(entry) || TYPE_PARAMETER.test(type);
  });
}

/** Returns the type of a parameter without its name, its value and its annotations. */
function typeOf(entry: string): string {
  return entry
    .replace(/=[^]*$/u, "")
    .replaceAll(/@[\w.]+(?:\([^)]*\))?|\bfinal\b/gu, "")
    .trim()
    .replace(/\s*[\w$]+(\[\])?$/u, "$1")
    .replaceAll(/\s+/gu, "");
}

async function parametersAt(
  { view }: ModuleTree,
  lines: Lines,
  definition: Definition,
): Promise<ArgumentList | undefined> {
  const brief = briefOf(view, definition);
  if (brief === undefined) return undefined;
  return listsAfter(await lines(definition.file.path), brief.lineStart, brief.name).at(0);
}

/** Returns true if a method or an overload beside it has as many parameters as another one, which it may override. */
export async function mayOverride(
  { tree, lines }: { readonly tree: ModuleTree; readonly lines: Lines },
  { file, symbol }: Definition,
  other: Definition,
): Promise<boolean> {
  const wanted = await parametersAt(tree, lines, other);
  const { symbols } = tree.view.documentOf(file);
  for (const [index, { name, parent }] of symbols.entries()) {
    if (name !== symbols[symbol]?.name || parent !== symbols[symbol]?.parent) continue;
    const own = await parametersAt(tree, lines, { file, symbol: index });
    if (own === undefined || wanted === undefined || own.entries.length === wanted.entries.length)
      return true;
  }
  return false;
}
