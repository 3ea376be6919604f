import { closeSync, constants, openSync, readSync } from "node:fs";
import { isAbsolute, join, posix, relative, sep } from "node:path";
import type { RunFindings } from "../../model/run.ts";

/** How near a file is to the failures of a run; the smaller, the nearer. */
export const NEAR = {
  /** A failure, a diagnostic or a stack names it. */
  named: 0,
  /** It has the name of a test that failed: `cart.py` and `test_cart.py`. */
  namesake: 1,
  /** A file that the failures name imports it. */
  imported: 2,
  /** It is in the folder of a file that the failures name. */
  sameFolder: 3,
  elsewhere: 4,
  /** Text and lock files, which rarely decide whether code works. */
  unlikely: 5,
} as const;

interface FailedRun {
  readonly cwd: string;
  /** The folder of the run below the top folder of the repository. */
  readonly prefix: string;
  readonly findings: RunFindings | undefined;
  /** The output, in which stacks name files. */
  readonly output: string;
}

/** Paths with a line number, as stacks and compilers print them: `src/a.ts:4`, `"a.py", line 4`, `(Cart.java:4)`, `a.cs(4,2)`. */
const NUMBERED_PATH =
  /(?<![\w@+~./\\-])(?<path>[\w@+~./\\-]{0,300}[\w-]\.[A-Za-z]\w{0,9})(?:"?, line |:line |:|\()\d+/g;
const IMPORT_LINE =
  /\b(?:import|from|require\w*|include\w*|use|using|mod|load|source|export|open|alias)\b|^\s*["'][^"']+["']\s*$/;
const TEST_WORD = /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)|(?:Tests?|Specs?|IT)\.\w+$/;
const UNLIKELY_FILE =
  /\.(?:md|mdx|rst|txt|adoc|lock|svg|png|jpg|gif|csv)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS|package-lock\.json|pnpm-lock\.yaml|go\.sum)[^/]*$/i;
/** Bounds on the files whose imports are read. */
const MAX_READ_FILES = 12;
const MAX_READ_BYTES = 64 * 1024;

/** Measures how near files of a repository are to the failures of a run. All paths are relative to the top folder. */
export class Nearness {
  readonly #named = new Map<string, number>();
  readonly #folders: ReadonlySet<string>;
  readonly #stems: ReadonlySet<string>;
  readonly #imported: ReadonlySet<string>;

  constructor(run: FailedRun) {
    for (const file of filesOf(run.findings)) this.#name(fromTop(file, run));
    for (const { groups } of run.output.matchAll(NUMBERED_PATH))
      this.#name(fromTop(groups?.["path"] ?? "", run));
    const paths = [...this.#named.keys()];
    this.#folders = new Set(paths.map((path) => posix.dirname(path)));
    this.#stems = new Set(paths.map(stemOf));
    this.#imported = importedWords(paths.slice(0, MAX_READ_FILES), run);
  }

  /** True if no failure names a file. */
  get isEmpty(): boolean {
    return this.#named.size === 0;
  }

  of(path: string): number {
    if (this.#countOf(path) > 0) return NEAR.named;
    if (UNLIKELY_FILE.test(path)) return NEAR.unlikely;
    if (this.#stems.has(stemOf(path))) return NEAR.namesake;
    if (this.#imported.has(moduleOf(path))) return NEAR.imported;
    return this.#folders.has(posix.dirname(path)) ? NEAR.sameFolder : NEAR.elsewhere;
  }

  /** Orders paths, the nearest first; at one distance, code before tests, then what is named more often. */
  readonly compare = (a: string, b: string): number =>
    this.of(a) - this.of(b) ||
    Number(TEST_WORD.test(a)) - Number(TEST_WORD.test(b)) ||
    this.#countOf(b) - this.#countOf(a) ||
    (a < b ? -1 : 1);

  /** Compares two lists by their nearest file: code that the failures name before tests and imported code. */
  compareDistance(a: readonly string[], b: readonly string[]): number {
    const distance = (paths: readonly string[]): number =>
      Math.min(...paths.map((path) => this.of(path) + (TEST_WORD.test(path) ? 1 : 0)));
    return distance(a) - distance(b);
  }

  #name(path: string | undefined): void {
    if (path !== undefined) this.#named.set(path, (this.#named.get(path) ?? 0) + 1);
  }

  /** Some tools print only the end of a path. */
  #countOf(path: string): number {
    let count = 0;
    for (let from = 0; from >= 0; from = nextPart(path, from))
      count += this.#named.get(path.slice(from)) ?? 0;
    return count;
  }
}

function nextPart(path: string, from: number): number {
  const slash = path.indexOf("/", from);
  return slash < 0 ? -1 : slash + 1;
}

/** The files of errors and failed tests. */
function filesOf(findings: RunFindings | undefined): string[] {
  if (findings === undefined) return [];
  const errors = findings.diagnostics.filter(({ severity }) => severity === "error");
  const failures = findings.tests.flatMap((one) => one.failures);
  return [
    ...failures.map(({ file }) => file),
    ...failures.map(({ declared }) => declared?.file),
    ...errors.flatMap(({ file, related = [] }) => [file, ...related.map((place) => place.file)]),
  ].filter((file) => file !== undefined);
}

/** A path as git names it; undefined for one outside of the repository. */
function fromTop(file: string, { cwd, prefix }: Pick<FailedRun, "cwd" | "prefix">): string | undefined {
  const plain = file.replace(/^\/{2,}/, "/");
  const local = isAbsolute(plain) ? relative(cwd, plain) : plain;
  if (local === "" || isAbsolute(local)) return undefined;
  const path = posix.join(prefix, local.split(sep).join("/"));
  return path.startsWith("../") || path.includes("node_modules/") ? undefined : path;
}

/** The name of a file without folders, endings and the words that mark a test. */
function stemOf(path: string): string {
  const name = posix.basename(path).replace(/^\.+/, "").split(".")[0] ?? "";
  const bare = name.replace(/^(?:tests?|specs?)[_-]?(?=.)|[_-]?(?:tests?|specs?|IT)$/gi, "");
  // A file named like its role has the name of its folder.
  const role = /^(?:index|main|mod|lib|__init__|)$/i.test(bare);
  return (role ? posix.basename(posix.dirname(path)) : bare).toLowerCase();
}

/** The word by which other files import a file. */
function moduleOf(path: string): string {
  const name = posix.basename(path).split(".")[0] ?? "";
  const isFolder = /^(?:index|mod|__init__)$/.test(name);
  return isFolder ? posix.basename(posix.dirname(path)) : name;
}

/** All words on the import lines of some files. */
function importedWords(paths: readonly string[], { cwd, prefix }: FailedRun): ReadonlySet<string> {
  const words = new Set<string>();
  for (const path of paths) {
    for (const line of beginningOf(join(cwd, posix.relative(prefix, path))).split("\n"))
      if (line.length < 500 && IMPORT_LINE.test(line))
        for (const [word] of line.matchAll(/[\w$-]+/g)) words.add(word);
  }
  return words;
}

/** The first bytes of a file; empty if it cannot be read. */
function beginningOf(file: string): string {
  try {
    const handle = openSync(file, constants.O_RDONLY);
    try {
      const bytes = Buffer.alloc(MAX_READ_BYTES);
      return bytes.toString("utf8", 0, readSync(handle, bytes, 0, MAX_READ_BYTES, 0));
    } finally {
      closeSync(handle);
    }
  } catch {
    // A stack may name a file that is not there or a folder; then it imports nothing.
    return "";
  }
}
