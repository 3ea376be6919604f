import { compareText } from "../../../kernel/nearest.ts";
import type { OutsideUses, UsePlace } from "../../../model/changes.ts";
import type { ViewFile } from "../../live/view.ts";
import { languageOfFile } from "../../uses/definition.ts";
import type { Entity, Resolver } from "../../uses/entity.ts";
import type { UseSource } from "../../uses/find-uses.ts";
import { resolverFor } from "../../uses/modules/registry.ts";

/** Files with an import that may lead to a renamed file; more are not read. */
const MAX_IMPORTERS = 100;
const MAX_PLACES = 20;

interface States {
  readonly before: UseSource;
  readonly after: UseSource;
}

/** Finds the imports that led to a file before it was renamed and lead nowhere now; undefined if there are none. */
export async function importsOfOldPath(
  oldPath: string,
  { before, after }: States,
): Promise<OutsideUses | undefined> {
  const old = before.view.fileAt(oldPath);
  if (old === undefined) return undefined;
  const name = nameIn(oldPath);
  const importers = before.view.files.filter(
    (file) =>
      file.facts.kind === "code" &&
      before.view.documentOf(file).imports.some((source) => source.includes(name)),
  );
  const places: UsePlace[] = [];
  for (const file of importers.slice(0, MAX_IMPORTERS)) {
    const now = after.view.fileAt(file.path);
    if (now !== undefined) places.push(...(await brokenImports({ file, now, oldPath }, { before, after })));
  }
  if (places.length === 0) return undefined;
  const sorted = places.toSorted((a, b) => compareText(a.path, b.path) || a.line - b.line);
  return { total: places.length, places: sorted.slice(0, MAX_PLACES), possible: 0 };
}

/** Files that stand for their folder, whose name imports use. */
const OF_FOLDER = /^(?:index|__init__|mod)$/;

/** Returns the name by which imports know a file: its own without extensions, or that of its folder. */
function nameIn(path: string): string {
  const parts = path.split("/");
  const own = (parts.at(-1) ?? "").replace(/(?<=.)\..*$/, "");
  return OF_FOLDER.test(own) ? (parts.at(-2) ?? own) : own;
}

interface Importer {
  /** The file in both states. */
  readonly file: ViewFile;
  readonly now: ViewFile;
  readonly oldPath: string;
}

async function brokenImports(
  { file, now, oldPath }: Importer,
  { before, after }: States,
): Promise<readonly UsePlace[]> {
  const [was, is] = [resolverIn(before, file), resolverIn(after, now)];
  if (was === undefined || is === undefined) return [];
  const lines = new Set<number>();
  for (const { line, names } of (await after.reader.factsOf(now)).links)
    for (const { as } of names) {
      if (as === "" || lines.has(line)) continue;
      const entities = await is.nameIn(now, as);
      if (!entities.some(({ kind }) => kind === "missing")) continue;
      if ((await was.nameIn(file, as)).some((entity) => fileOf(entity) === oldPath)) lines.add(line);
    }
  return Array.from(lines, (line) => ({ path: now.path, line }));
}

function resolverIn({ tree }: UseSource, file: ViewFile): Resolver | undefined {
  return resolverFor(languageOfFile(file), tree);
}

function fileOf(entity: Entity): string | undefined {
  if (entity.kind === "definition") return entity.definition.file.path;
  return entity.kind === "module" ? entity.file.path : undefined;
}
