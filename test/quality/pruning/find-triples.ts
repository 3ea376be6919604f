import { compareText } from "../../../src/kernel/nearest.ts";
import { CHANGELOG, entriesOf } from "./changelog.ts";
import { changedLines } from "./line-diff.ts";
import { fetchReleases, filesOf, isCached, packedBytes, publishedVersions } from "./tarballs.ts";

/** A release whose changelog says in few words what changed, and that changed one source file. */
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
/** Changes with most changes, whatever they are about: nothing to look for. */
const INCIDENTAL =
  /^\s*(?:import\b.*|#\s*(?:include|import)\b.*|(?:const|let|var)\s.*=\s*require\(.*|from\s+\S+\s+import\b.*)?$/;
const FEWEST_LINES = 120;
const MOST_LINES = 6_000;
const MOST_ENTRIES = 3;
/** More than this of a file is no focus. */
const MOST_GOLD = 0.2;
/** So that all of them can be fetched in a minute. */
const MOST_PACKED_BYTES = 3_000_000;
const VERSIONS_OF_A_PACKAGE = 30;
const TRIPLES_OF_A_PACKAGE = 6;

/** The newest triples of a package by the rule above; the rule does not know the pruner. */
export async function findTriples(name: string): Promise<readonly Triple[]> {
  const versions = (await publishedVersions(name))
    .filter((version) => /^\d+\.\d+\.\d+$/.test(version))
    .sort(compareVersions)
    .slice(-VERSIONS_OF_A_PACKAGE);
  await fetchReleases(versions.map((version) => ({ name, version })));
  const triples: Triple[] = [];
  for (let i = versions.length - 1; i > 0 && triples.length < TRIPLES_OF_A_PACKAGE; i--) {
    const [before = "", after = ""] = [versions[i - 1], versions[i]];
    const fits = [before, after].every(
      (version) => isCached({ name, version }) && packedBytes({ name, version }) <= MOST_PACKED_BYTES,
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
  if (entries.length === 0 || entries.length > MOST_ENTRIES) return undefined;
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

/** The lines that a change touches, when the file is one to focus on. */
export function goldOf(
  before: string | undefined,
  after: string | undefined,
): ReadonlySet<number> | undefined {
  if (before === undefined || after === undefined) return undefined;
  const lines = linesOf(before);
  if (lines.length < FEWEST_LINES || lines.length > MOST_LINES) return undefined;
  if (before.length / lines.length > 200) return undefined;
  const changed = [...(changedLines(lines, linesOf(after)) ?? [])];
  if (changed.length > lines.length * MOST_GOLD) return undefined;
  const gold = changed.filter((index) => !INCIDENTAL.test(lines[index] ?? ""));
  return gold.length === 0 ? undefined : new Set(gold);
}

export function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** Whether a path is one of a source that people write. */
export function isSource(path: string): boolean {
  return SOURCE.test(path) && !NOT_WRITTEN.test(path);
}

/** A file without its own version number, which every release changes. */
function stripped(text: string | undefined, version: string): string | undefined {
  return text?.replaceAll(version, "");
}

function compareVersions(a: string, b: string): number {
  const [x, y] = [a.split(".").map(Number), b.split(".").map(Number)];
  for (let i = 0; i < 3; i++) if (x[i] !== y[i]) return (x[i] ?? 0) - (y[i] ?? 0);
  return 0;
}
