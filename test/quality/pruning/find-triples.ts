import { compareText } from "../../../src/kernel/nearest.ts";
import { CHANGELOG, entriesOf } from "./changelog.ts";
import { changedLines } from "./line-diff.ts";
import { fetchReleases, filesOf, isCached, packedBytes, publishedVersions } from "./tarballs.ts";

/** A release that changed one source file and whose changelog describes the change briefly. */
export interface Triple {
  readonly name: string;
  readonly before: string;
  readonly after: string;
  readonly changelog: string;
  readonly file: string;
}

const SOURCE = /\.(?:[cm]?[jt]sx?|py|java|kt|swift|mm?|c|cc|cpp|cxx|h|hpp|hh|cs|php|rb|go|rs|scala|lua)$/;
const NOT_WRITTEN =
  /(?:^|\/)(?:dist|build|es|esm|cjs|umd|out|output|bundles?|node_modules|vendor|deps|third_party|__tests__|tests?|specs?|examples?|demos?|docs?|bench\w*|prebuilds|flow-typed|locales?|i18n)\/|\.min\.|\.d\.[cm]?ts$|\.(?:test|spec)\.|bundle|standalone|generated/i;
/** Matches blank lines and imports, which most changes touch whatever they are about. */
const INCIDENTAL =
  /^\s*(?:import\b.*|#\s*(?:include|import)\b.*|(?:const|let|var)\s.*=\s*require\(.*|from\s+\S+\s+import\b.*)?$/;
const MIN_LINES = 120;
const MAX_LINES = 6_000;
const MAX_ENTRIES = 3;
/** Upper bound on the share of changed lines. */
const MAX_CHANGED_SHARE = 0.2;
/** Upper bound on package size, so that all of them can be downloaded in a minute. */
const MAX_PACKED_BYTES = 3_000_000;
const VERSIONS_PER_PACKAGE = 30;
const TRIPLES_PER_PACKAGE = 6;

/** Finds the newest triples of a package by these rules, which are independent of the pruner. */
export async function findTriples(name: string): Promise<readonly Triple[]> {
  const versions = (await publishedVersions(name))
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .sort(compareVersions)
    .slice(-VERSIONS_PER_PACKAGE);
  await fetchReleases(versions.map((version) => ({ name, version })));
  const triples: Triple[] = [];
  for (let i = versions.length - 1; i > 0 && triples.length < TRIPLES_PER_PACKAGE; i--) {
    const [before = "", after = ""] = [versions[i - 1], versions[i]];
    const fits = [before, after].every(
      (version) => isCached({ name, version }) && packedBytes({ name, version }) <= MAX_PACKED_BYTES,
    );
    if (!fits) continue;
    const triple = tripleOf(name, before, after);
    if (triple !== undefined) triples.push(triple);
  }
  return triples;
}

function tripleOf(name: string, before: string, after: string): Triple | undefined {
  const wanted = (path: string): boolean => CHANGELOG.test(path) || isSource(path);
  const now = filesOf({ name, version: after }, wanted);
  const changelog = [...now.keys()].find((path) => CHANGELOG.test(path));
  if (changelog === undefined) return undefined;
  const entries = entriesOf(now.get(changelog) ?? "", after);
  if (entries.length === 0 || entries.length > MAX_ENTRIES) return undefined;
  const old = filesOf({ name, version: before }, wanted);
  const changed = [...new Set([...old.keys(), ...now.keys()])]
    .filter(
      (path) => !CHANGELOG.test(path) && stripped(old.get(path), before) !== stripped(now.get(path), after),
    )
    .sort(compareText);
  const written = changed.some((path) => path.startsWith("src/"))
    ? changed.filter((path) => !path.startsWith("lib/"))
    : changed;
  const [file] = written;
  if (file === undefined || written.length > 1) return undefined;
  const gold = goldOf(old.get(file), now.get(file));
  return gold === undefined ? undefined : { name, before, after, changelog, file };
}

/** Returns the lines that a change touches, if the file is suitable for pruning. */
export function goldOf(
  before: string | undefined,
  after: string | undefined,
): ReadonlySet<number> | undefined {
  if (before === undefined || after === undefined) return undefined;
  const lines = linesOf(before);
  if (lines.length < MIN_LINES || lines.length > MAX_LINES) return undefined;
  if (before.length / lines.length > 200) return undefined;
  const changed = [...(changedLines(lines, linesOf(after)) ?? [])];
  if (changed.length > lines.length * MAX_CHANGED_SHARE) return undefined;
  const gold = changed.filter((index) => !INCIDENTAL.test(lines[index] ?? ""));
  return gold.length === 0 ? undefined : new Set(gold);
}

export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Returns true for paths of hand-written source files. */
export function isSource(path: string): boolean {
  return SOURCE.test(path) && !NOT_WRITTEN.test(path);
}

/** Removes the package's version number from a file, because every release changes it. */
function stripped(text: string | undefined, version: string): string | undefined {
  return text?.replaceAll(version, "");
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0);
  return 0;
}
