import { posix } from "node:path";
import { packageFolder } from "../../parsing/package-folders.ts";
import type { FolderFacts } from "../../tool.ts";

const WORKSPACE_OPTION = "--workspace";

interface Target {
  /** The folder of the package. */
  readonly package: string;
  /** A test target, or `*` for all of the package; undefined for tests beside the code, which belong to the library or a program. */
  readonly test: string | undefined;
}

/** Cargo runs whole targets: the files and folders of `tests/` are one each, and the unit tests of a library are one. */
export function cargoTargets(
  argv: readonly string[],
  paths: readonly string[],
  folder: FolderFacts,
): readonly string[] {
  const targets = paths.map((path) => targetOf(path, folder));
  const packages = [...new Set(targets.map((target) => target.package))];
  const tests = new Set(targets.flatMap(({ test }) => test ?? []));
  const own = targets.filter(({ test }) => test === undefined).map((target) => target.package);
  // Cargo refuses --lib where there is no library.
  const library = own.some((at) => hasLibrary(folder, at)) ? ["--lib"] : [];
  const named = tests.has("*") ? ["*"] : [...tests];
  const count = packages.length + named.length + library.length + own.length;
  return [
    ...argv.filter((word) => word !== WORKSPACE_OPTION),
    // Otherwise the targets after a failed one would not run.
    ...(count > 2 || named.includes("*") || own.length > 0 ? ["--no-fail-fast"] : []),
    ...(packages.every((at) => at === ".") ? [] : packages.flatMap((at) => ["-p", nameOf(folder, at)])),
    ...library,
    ...(own.length > 0 ? ["--bins"] : []),
    ...named.flatMap((name) => ["--test", name]),
  ];
}

/** By default Cargo tests only the package at the root of a workspace, if there is one. */
export function wholeWorkspace(folder: FolderFacts): readonly string[] {
  const text = manifest(folder, ".");
  return WORKSPACE.test(text) && /^\s*\[package\]/m.test(text) ? [WORKSPACE_OPTION] : [];
}

/** Cargo does not select the unit tests of single files. */
export function unitTests(paths: readonly string[], folder: FolderFacts): string | undefined {
  const targets = paths.map((path) => targetOf(path, folder));
  if (targets.some(({ test }) => test === "*"))
    return "all tests of tests/, because a module of several of them is among these";
  return targets.some(({ test }) => test === undefined)
    ? "the other unit tests, because cargo test runs them all together"
    : undefined;
}

/** Returns whether a package below belongs to the workspace of a folder. */
export function isMember(folder: FolderFacts, part: string): boolean {
  const text = manifest(folder, ".");
  if (!WORKSPACE.test(text) || WORKSPACE.test(manifest(folder, part))) return false;
  const excluded = textsIn(/^\s*exclude\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? "");
  return !excluded.some((path) => part === path || part.startsWith(`${path}/`));
}

const WORKSPACE = /^\s*\[workspace(?:\.[\w.-]+)?\]/m;

function targetOf(path: string, folder: FolderFacts): Target {
  const at = packageFolder(path, (one) => folder.has(posix.join(one, "Cargo.toml")));
  const inside = posix.relative(at, path);
  const declared = declaredTests(manifest(folder, at)).find((test) => test.path === inside);
  if (declared !== undefined) return { package: at, test: declared.name };
  const [, name, file] = /^tests\/([^/]+?)(?:\.rs|\/(.*))$/.exec(inside) ?? [];
  if (name === undefined) return { package: at, test: undefined };
  // Other folders hold modules that several targets share.
  const isTarget = file === undefined || folder.has(posix.join(at, "tests", name, "main.rs"));
  return { package: at, test: isTarget ? name : "*" };
}

/** The targets that a `[[test]]` section of the manifest names. */
function declaredTests(text: string): { readonly name: string; readonly path: string }[] {
  return Array.from(text.matchAll(/^\s*\[\[test\]\]([^[]*)/gm), ([, section = ""]) => {
    const name = valueOf(section, "name") ?? "";
    return { name, path: posix.normalize(valueOf(section, "path") ?? `tests/${name}.rs`) };
  }).filter(({ name }) => name !== "");
}

/** The name of the package; its folder has it in most cases. */
function nameOf(folder: FolderFacts, at: string): string {
  const section = /^\s*\[package\]([^[]*)/m.exec(manifest(folder, at))?.[1] ?? "";
  return valueOf(section, "name") ?? posix.basename(at);
}

function hasLibrary(folder: FolderFacts, at: string): boolean {
  return folder.has(posix.join(at, "src/lib.rs")) || /^\s*\[lib\]/m.test(manifest(folder, at));
}

function manifest(folder: FolderFacts, at: string): string {
  return folder.read(posix.join(at, "Cargo.toml")) ?? "";
}

function valueOf(section: string, key: string): string | undefined {
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"'\\n]+)["']`, "m").exec(section)?.[1];
}

function textsIn(list: string): string[] {
  return Array.from(list.matchAll(/["']([^"'\n]+)["']/g), ([, text = ""]) => text.replace(/\/$/, ""));
}
