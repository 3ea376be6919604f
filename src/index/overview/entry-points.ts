import type { EntryPoint } from "../../model/overview.ts";
import type { SymbolBrief } from "../store/record.ts";
import type { View, ViewFile } from "../live/view.ts";

type ReadText = (file: ViewFile) => Promise<string | undefined>;

const MAX_ENTRY_POINTS = 12;

/** The first entry points, and how many more there are. */
interface ListedEntryPoints {
  readonly listed: readonly EntryPoint[];
  readonly unlisted: number;
}

/** Finds where programs and libraries start: by their manifests, by functions named main, and by the usual file names. */
export async function entryPointsOf(
  view: View,
  isWanted: (file: ViewFile) => boolean,
  read: ReadText,
): Promise<ListedEntryPoints> {
  const found = new Map<string, EntryPoint>();
  const add = (entry: EntryPoint): void => {
    if (!found.has(entry.path)) found.set(entry.path, entry);
  };
  for (const file of view.files.filter(isWanted)) {
    if (isAside(file)) continue;
    if (isManifest(file.path, "package.json"))
      for (const entry of npmEntries(file.path, (await read(file)) ?? "", view)) add(entry);
    if (isManifest(file.path, "pyproject.toml"))
      for (const entry of pythonEntries(file.path, (await read(file)) ?? "", view)) add(entry);
  }
  for (const file of view.files.filter(isWanted)) {
    const { facts, path } = file;
    if (facts.kind !== "code" || isAside(file)) continue;
    const main = view.documentOf(file).symbols.find(isMain);
    if (main !== undefined) add({ path, why: "main", line: main.lineStart });
    else if (USUAL.test(path)) add({ path, why: "by its name" });
  }
  const all = [...found.values()].toSorted(byDepth);
  return { listed: all.slice(0, MAX_ENTRY_POINTS), unlisted: Math.max(0, all.length - MAX_ENTRY_POINTS) };
}

/** Tests, examples and vendored code start programs of their own, which are not those of the project. */
function isAside({ facts: { role } }: ViewFile): boolean {
  return role.test || role.example || role.vendored;
}

/** Manifests far below are those of examples and fixtures. */
const MAX_MANIFEST_DEPTH = 3;

function isManifest(path: string, name: string): boolean {
  return (path === name || path.endsWith(`/${name}`)) && path.split("/").length <= MAX_MANIFEST_DEPTH;
}

/** Programs that build, check or measure the project; a newcomer asks for the project itself first. */
const CHORE = /(?:^|\/)(?:build\.rs|(?:\.?ci|scripts?|tools?|hack|dev|bench\w*|fuzz)\/)/;

function byDepth(a: EntryPoint, b: EntryPoint): number {
  return (
    Number(CHORE.test(a.path)) - Number(CHORE.test(b.path)) ||
    Number(b.why.includes("package.json")) - Number(a.why.includes("package.json")) ||
    a.path.split("/").length - b.path.split("/").length
  );
}

/** `main` of a program: not a member of another definition, except in Java, Kotlin and C#, where a class holds it. */
function isMain({ name, kind }: SymbolBrief): boolean {
  return (name === "main" && (kind === "fn" || kind === "method")) || (name === "Main" && kind === "method");
}

const USUAL =
  /(?:^|\/)(?:__main__\.py|manage\.py|wsgi\.py|asgi\.py|config\.ru|Program\.cs|artisan)$|(?:^|\/)(?:src\/(?:lib|main)\.rs|src\/bin\/[^/]+\.rs|bin\/[^/.]+|exe\/[^/.]+|public\/index\.php)$/;

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}

/** Reads `bin`, `main`, `module` and `exports`; a built file leads to its source, if there is one of that name. */
function npmEntries(path: string, text: string, view: View): readonly EntryPoint[] {
  const manifest = parsed(text);
  const entries: EntryPoint[] = [];
  const add = (target: unknown, why: string): void => {
    if (typeof target !== "string") return;
    const file = sourceOf(`${folderOf(path)}${target.replace(/^\.\//, "")}`, view);
    if (file !== undefined) entries.push({ path: file, why: `${why} in ${path}` });
  };
  const { bin, main, module, exports } = manifest;
  if (typeof bin === "string") add(bin, "bin");
  else if (isRecord(bin)) for (const [name, target] of Object.entries(bin)) add(target, `bin ${name}`);
  for (const target of targetsIn(exports)) add(target, "exports");
  add(module, "module");
  add(main, "main");
  const known = new Set(entries.map((entry) => entry.path));
  const index = ["index.js", "index.ts", "src/index.ts", "src/index.js"].map(
    (name) => `${folderOf(path)}${name}`,
  );
  const usual = known.size === 0 ? index.find((name) => view.fileAt(name) !== undefined) : undefined;
  return usual === undefined ? entries : [{ path: usual, why: `package ${path}` }];
}

/** The most targets of `exports` that are listed; a package may export every file. */
const MAX_EXPORTS = 3;

function targetsIn(exports: unknown): readonly string[] {
  if (typeof exports === "string") return [exports];
  if (!isRecord(exports)) return [];
  return Object.values(exports)
    .flatMap(targetsIn)
    .filter((one) => !one.includes("*"))
    .slice(0, MAX_EXPORTS);
}

const SOURCE_ENDINGS = [".ts", ".tsx", ".mts", ".js", ".mjs", ".jsx"];

/** Returns the file itself, or the source that a build makes it from: `dist/pith.js` from `src/pith.ts` or `src/bin/pith.ts`. */
function sourceOf(path: string, view: View): string | undefined {
  if (view.fileAt(path) !== undefined && !path.endsWith(".json")) return path;
  const bare = path.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, "");
  const name = bare.slice(bare.lastIndexOf("/") + 1);
  const folder = path.replace(/(?:^|(?<=\/))(?:dist|build|lib|out|es|esm|cjs)\/.*$/, "");
  const inner = bare
    .slice(folder.length)
    .replace(/^(?:dist|build|lib|out|es|esm|cjs)\/(?:(?:esm|cjs|types)\/)?/, "");
  const candidates = [
    bare,
    `${folder}src/${inner}`,
    `${folder}src/bin/${name}`,
    `${folder}src/cli/${name}`,
    `${folder}${inner}`,
  ];
  for (const candidate of candidates)
    for (const ending of SOURCE_ENDINGS)
      if (view.fileAt(`${candidate}${ending}`) !== undefined) return `${candidate}${ending}`;
  return undefined;
}

/** Reads the scripts of a Python project: `name = "package.module:function"`. */
function pythonEntries(path: string, text: string, view: View): readonly EntryPoint[] {
  const [, section = ""] = /^\[(?:project|tool\.poetry)\.scripts\]\s*\n((?:(?!\[).*\n?)*)/m.exec(text) ?? [];
  return [...section.matchAll(/^([\w.-]+)\s*=\s*["']([\w.]+)(?::[\w.]+)?["']/gm)].flatMap(
    ([, name = "", module = ""]) => {
      const inner = module.replaceAll(".", "/");
      const folders = [folderOf(path), `${folderOf(path)}src/`];
      const file = folders
        .flatMap((folder) => [`${folder}${inner}.py`, `${folder}${inner}/__init__.py`])
        .find((one) => view.fileAt(one) !== undefined);
      return file === undefined ? [] : [{ path: file, why: `script ${name} in ${path}` }];
    },
  );
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch (error) {
    // A manifest that is being edited names no entry points.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
