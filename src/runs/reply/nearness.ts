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
  /(?<![\w@+~./\\-])(?<path>[\w@+~./\\-]{0,300}[\w-]\.[A-Za-z]\w{0,9})(?:"?, line |:line |:|\()(?<line>\d{1,7})/g;
const IMPORT_LINE =
  /\b(?:import|from|require\w*|include\w*|use|using|mod|load|source|export|open|alias)\b|^\s*["'][^"']+["']\s*$/;
export const TEST_WORD = /(?:^|[/_.-])(?:tests?|specs?|__tests__)(?:[/_.-]|$)|(?:Tests?|Specs?|IT)\.\w+$/;
const UNLIKELY_FILE =
  /\.(?:md|mdx|rst|txt|adoc|lock|svg|png|jpg|gif|csv)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS|package-lock\.json|pnpm-lock\.yaml|go\.sum)[^/]*$/i;
/** Bounds on the files whose imports are read. */
const MAX_READ_FILES = 12;
const MAX_LINES_PER_FILE = 200;
const MAX_READ_BYTES = 256 * 1024;
/** Lines above and below the place of a failure that say what it is about. */
const LINES_ABOVE = 12;
const LINES_BELOW = 2;

/** Measures how near files of a repository are to the failures of a run. All paths are relative to the top folder. */
export class Nearness {
  /** The lines at which failures name each file; 0 where they name no line. */
  readonly #named = new Map<string, number[]>();
  readonly #folders: ReadonlySet<string>;
  readonly #stems: ReadonlySet<string>;
  readonly #imported: ReadonlySet<string>;
  /** The words of the failures, and of the code where they are. */
  readonly #said = new Set<string>();
  readonly #around = new Set<string>();

  constructor(run: FailedRun) {
    for (const { file, line } of placesOf(run.findings)) this.#name(fromTop(file, run), line);
    for (const { groups } of run.output.matchAll(NUMBERED_PATH))
      this.#name(fromTop(groups?.["path"] ?? "", run), Number(groups?.["line"]));
    const paths = [...this.#named.keys()];
    this.#folders = new Set(paths.map((path) => posix.dirname(path)));
    this.#stems = new Set(paths.map(stemOf));
    const imported = new Set<string>();
    for (const path of paths.slice(0, MAX_READ_FILES)) {
      const lines = beginningOf(join(run.cwd, posix.relative(run.prefix, path))).split("\n");
      for (const line of lines) if (line.length < 500 && IMPORT_LINE.test(line)) addWords(line, imported);
      for (const at of this.#named.get(path) ?? [])
        if (at > 0)
          for (const line of lines.slice(Math.max(0, at - LINES_ABOVE), at + LINES_BELOW))
            addWords(line, this.#around);
    }
    this.#imported = imported;
    for (const text of textsOf(run.findings)) addWords(text, this.#said);
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

  /** The lines at which failures name a file. Some tools print only the end of a path. */
  linesIn(path: string): number[] {
    const lines: number[] = [];
    for (let from = 0; from >= 0; from = nextPart(path, from))
      lines.push(...(this.#named.get(path.slice(from)) ?? []));
    return lines;
  }

  /** Whether the name or the message of a failure has a word. */
  isSaid(word: string): boolean {
    return this.#said.has(word);
  }

  /** Whether the failures, or the code where they are, have a word. */
  hasWord(word: string): boolean {
    return this.#said.has(word) || this.#around.has(word);
  }

  #name(path: string | undefined, line = 0): void {
    if (path === undefined) return;
    const lines = this.#named.get(path);
    if (lines === undefined) this.#named.set(path, [line]);
    else if (lines.length < MAX_LINES_PER_FILE) lines.push(line);
  }

  #countOf(path: string): number {
    return this.linesIn(path).length;
  }
}

function nextPart(path: string, from: number): number {
  const slash = path.indexOf("/", from);
  return slash < 0 ? -1 : slash + 1;
}

interface NamedPlace {
  readonly file: string;
  readonly line?: number;
}

/** The places of errors and failed tests. */
function placesOf(findings: RunFindings | undefined): NamedPlace[] {
  if (findings === undefined) return [];
  const errors = findings.diagnostics.filter(({ severity }) => severity === "error");
  const failures = findings.tests.flatMap((one) => one.failures);
  const places: Partial<NamedPlace>[] = [
    ...failures,
    ...failures.flatMap(({ declared }) => (declared === undefined ? [] : [{ file: declared.file }])),
    ...errors.flatMap((error) => [error, ...(error.related ?? [])]),
  ];
  return places.flatMap(({ file, line }) =>
    file === undefined ? [] : [{ file, ...(line !== undefined && { line }) }],
  );
}

/** The names and messages of errors and failed tests. */
function textsOf(findings: RunFindings | undefined): string[] {
  if (findings === undefined) return [];
  const failures = findings.tests.flatMap((one) => one.failures);
  return [
    ...failures.flatMap(({ name, message }) => [name, message]),
    ...findings.diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message),
  ];
}

function addWords(text: string, words: Set<string>): void {
  for (const [word] of text.matchAll(/[\p{L}\p{N}_$-]+/gu)) words.add(word);
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

/** The first bytes of a file; empty if it cannot be read. */
export function beginningOf(file: string): string {
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
