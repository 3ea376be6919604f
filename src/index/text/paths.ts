import { languageOf } from "../../languages/detect.ts";
import { stemOf } from "./stems.ts";
import { foldName, partsOfIdentifier } from "./terms.ts";
import { STOP_WORDS } from "./words.ts";

/** Facts about a file that follow from its path alone. */
export interface PathFacts {
  /** The file name without extension, or the folder's name for `index`, `mod` and the like. */
  readonly stem: string;
  readonly foldedStem: string;
  readonly stemParts: readonly string[];
  /** The parts of the file name (`stem`) that are not stop words, or all parts if every one is a stop word. */
  readonly meaningfulParts: readonly string[];
  /** The word stems of `meaningfulParts`, in the same order. */
  readonly stemStems: readonly string[];
  /** Distinct word stems of the folder names. */
  readonly folderStems: readonly string[];
  readonly role: PathRole;
  /**
   * What kind of text the file contains. Words of data files do not count for the statistics on how frequent a term is.
   */
  readonly kind: PathKind;
}

/**
 * The purpose of a file. Any file with one of these purposes ranks lower than source code, unless the query asks for
 * it.
 */
export interface PathRole {
  readonly test: boolean;
  readonly example: boolean;
  readonly vendored: boolean;
  readonly legacy: boolean;
  /** True for files of declarations without bodies, such as type stubs and C headers. */
  readonly declarations: boolean;
}

/**
 * Returns what follows from a path, relative to its workspace. The result is cached, because every query needs it for
 * many files.
 */
export function pathFacts(path: string): PathFacts {
  const known = cache.get(path);
  if (known !== undefined) return known;
  const facts = parsePath(path);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(path, facts);
  return facts;
}

/** Returns only the role and kind of a file, which is five times as fast as `pathFacts`. */
export function pathPurpose(path: string): Pick<PathFacts, "role" | "kind"> {
  const end = path.lastIndexOf("/");
  const file = path.slice(end + 1);
  return { role: roleOf(folderFacts(path.slice(0, Math.max(0, end))).role, file), kind: kindOf(file) };
}

const cache = new Map<string, PathFacts>();
const MAX_CACHED = 200_000;

/** Generic file names; for files with these names, the name of the folder is used instead. */
const GENERIC_NAMES: ReadonlySet<string> = new Set([
  "index",
  "mod",
  "__init__",
  "lib",
  "main",
  "package-info",
  "init",
]);

function parsePath(path: string): PathFacts {
  const end = path.lastIndexOf("/");
  const file = path.slice(end + 1);
  const folder = folderFacts(path.slice(0, Math.max(0, end)));
  const base = file
    .replace(/(?<=.)\.[^.]+$/, "")
    .replace(/\.(?:test|spec|d|min|module|component|stories)$/, "");
  const stem = GENERIC_NAMES.has(base.toLowerCase()) ? (folder.name ?? base) : base;
  const stemParts = wordsOf(stem);
  const meaningfulParts = withoutStopWords(stemParts);
  return {
    stem,
    foldedStem: foldName(stem),
    stemParts,
    meaningfulParts,
    stemStems: meaningfulParts.map(stemOf),
    folderStems: folder.stems,
    role: roleOf(folder.role, file),
    kind: kindOf(file),
  };
}

/** Facts about a folder that follow from its path; all files in it share them. */
interface FolderFacts {
  readonly name: string | undefined;
  readonly stems: readonly string[];
  readonly role: Omit<PathRole, "declarations">;
}

const folders = new Map<string, FolderFacts>();

function folderFacts(folder: string): FolderFacts {
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const segments = folder === "" ? [] : folder.split("/");
  const stems = new Set<string>();
  for (const segment of segments) for (const part of wordsOf(segment)) stems.add(stemOf(part));
  const facts = { name: segments.at(-1), stems: [...stems], role: folderRole(segments) };
  if (folders.size >= MAX_CACHED) folders.clear();
  folders.set(folder, facts);
  return facts;
}

function withoutStopWords(parts: readonly string[]): readonly string[] {
  const kept = parts.filter((part) => !STOP_WORDS.has(part));
  return kept.length === 0 ? parts : kept;
}

function wordsOf(name: string): string[] {
  const parts = name.split(/[^\p{L}\p{N}_$]+/u).flatMap((word) => partsOfIdentifier(word));
  return [...new Set(parts)];
}

const TEST_FOLDERS =
  /^(?:tests?|specs?|__tests__|__mocks__|__snapshots__|mocks?|fixtures?|testdata|test[-_]fixtures|e2e|.*[-_.]tests?|unittests?|integrationtest)$/i;
/**
 * Matches folders of tests in build tools (`jvmTest`) and of support code for tests (`http-testing-support`,
 * `test_utils`).
 */
const TEST_SETS =
  /^[a-z][A-Za-z0-9]*Tests?$|(?:^|[-_])(?:testing|testkit|testutils?|test[-_]?(?:support|utils?|helpers?|suite|common))(?:$|[-_])/;
const TEST_FILES =
  /^(?:test_.*|tests?|mocks?|conftest)\.\w+$|[._-](?:tests?|specs?)\.\w+$|(?:Tests?|TestCase|Spec|IT)\.(?:java|kt|cs|scala|swift|php|groovy|m)$|\.(?:snap)$/;
const EXAMPLE_FOLDERS =
  /^(?:.*[-_])?(?:examples?|samples?|demos?|bench(?:es|marks?)?|playgrounds?|tutorials?)$/i;
/** Matches folders of example projects in camel case, such as `RxExample`. */
const EXAMPLE_PROJECTS = /^[A-Za-z0-9]*[a-z0-9](?:Examples?|Samples?|Demos?|Benchmarks?|Playground)$/;
/** Matches folders of templates that a project generator copies into other projects. */
const SCAFFOLDS =
  /(?:^|\/)(?:generators?|create-[^/]+|scaffold\w*|schematics|cookiecutter[^/]*)\/(?:.*\/)?templates?(?:[-_][^/]*)?(?:$|\/)/i;
const VENDORED_FOLDERS =
  /^(?:vendor(?:ed)?|third[-_]?party|bundled|node_modules|generated|__generated__|site-packages|bower_components|single[-_]?(?:include|header)|amalgamat(?:ed|ion))$/i;
/**
 * Folder names that mean examples or vendored code outside the source folder, but the subject of the code inside it:
 * `src/script`, `lib/build`.
 */
const OUTER_EXAMPLE_FOLDERS =
  /^(?:docs?|documentation(?:[-_].*)?|scripts?|tools?|website|docs_src|\.github)$/i;
const OUTER_VENDORED_FOLDERS = /^(?:external|(?:[\w.]+-)?dist|build|out|gen)$/i;
const SOURCE_FOLDER = /^(?:src|lib|sources?|app|internal)$/i;
const VENDORED_FILES =
  /\.(?:min|bundle|pb|generated|g|designer)\.\w+$|_pb2(?:_grpc)?\.pyi?$|\.pb\.go$|_generated\.\w+$|amalgamat(?:ed|ion)\.\w+$/i;
const LEGACY_NAMES = /^(?:compat|legacy|deprecated|v1|old|obsolete|_?compat[-_].*)$/i;

function folderRole(folders: readonly string[]): FolderFacts["role"] {
  const within = (pattern: RegExp) => folders.some((folder) => pattern.test(folder));
  const source = folders.findIndex((folder) => SOURCE_FOLDER.test(folder));
  const outer = source < 0 ? folders : folders.slice(0, source);
  const around = (pattern: RegExp) => outer.some((folder) => pattern.test(folder));
  return {
    test: within(TEST_FOLDERS) || within(TEST_SETS),
    example:
      within(EXAMPLE_FOLDERS) ||
      within(EXAMPLE_PROJECTS) ||
      around(OUTER_EXAMPLE_FOLDERS) ||
      SCAFFOLDS.test(folders.join("/")),
    vendored: folders[0] === "deps" || within(VENDORED_FOLDERS) || around(OUTER_VENDORED_FOLDERS),
    legacy: within(LEGACY_NAMES),
  };
}

function roleOf(folder: FolderFacts["role"], file: string): PathRole {
  return {
    test: folder.test || TEST_FILES.test(file),
    example: folder.example,
    vendored: folder.vendored || VENDORED_FILES.test(file),
    legacy: folder.legacy || LEGACY_NAMES.test(file.replace(/\.\w+$/, "")),
    declarations: /\.(?:d\.[cm]?ts|pyi|h|hh|hpp|hxx)$/i.test(file),
  };
}

/** The kind of text in a file; "other" stands for templates, build files and the like. */
export type PathKind = "code" | "prose" | "data" | "other";

function kindOf(file: string): PathKind {
  if (PROSE.test(file)) return "prose";
  if (DATA.test(file)) return "data";
  const extension = /\.([^.]+)$/.exec(file)?.[1]?.toLowerCase();
  if (extension === undefined || OTHER_LANGUAGES.has(extension)) return "code";
  return languageOf(file) === undefined ? "other" : "code";
}

const PROSE =
  /\.(?:md|mdx|markdown|rst|txt|adoc|asciidoc|org|tex|man|\d)$|^(?:readme|changelog|changes|license|licence|copying|authors|contributors|notice|news|history|todo)(?:\.|$)/i;
const DATA =
  /\.(?:json|jsonc|json5|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|properties|xml|svg|csv|tsv|po|pot|lock|lockb|sum|mod|plist|resx|xlf|strings|map|snap|geojson|graphqls?|env|editorconfig|gitignore|gitattributes|dat|log|diff|patch|pem|crt|ipynb|html?|css|scss|less)$|^\.|(?:-lock|\.lock)\.\w+$/i;

/** File extensions of programming languages for which Pith has no outline; these files still count as source code. */
const OTHER_LANGUAGES: ReadonlySet<string> = new Set(
  `ex exs erl hrl hs lhs ml mli clj cljs cljc dart zig nim jl r pl pm vim el lisp lsp scm ss rkt fs fsi fsx vb m mm
  f f90 f95 f03 for pas pp adb ads d di v vh sv svh vhd vhdl asm s y yy l ll lex g4 jq proto thrift tf groovy gradle
  cmake mk vue svelte astro cu cuh cl glsl hlsl wgsl metal sol cr coffee hx purs elm idr agda lean tcl awk ps1 psm1
  bat cmd fish bzl star nix rego cue gd odin vala mojo ino pyx pxd inl ipp tpp inc luau phtml rake sbt`.split(
    /\s+/,
  ),
);
