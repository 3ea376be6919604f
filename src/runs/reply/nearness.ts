import { isAbsolute, join, posix, relative, sep } from "node:path";
import { readFileStart } from "../../kernel/files/small-file.ts";
import type { RunFindings } from "../../model/run.ts";

/** How near a file is to the failures of a run; the smaller, the nearer. */
export const NEAR = {
  /** A failure or a diagnostic is in it. */
  named: 0,
  /** It has the name of a test that failed (`cart.py` and `test_cart.py`), or the output has a place in it, which may be of another test. */
  namesake: 1,
  /** A file that the failures name imports it. */
  imported: 2,
  /** It is in a folder that such a file imports as a whole: `import shop`, and the file is `shop/__init__.py` or `shop/tax.py`. */
  importedFolder: 3,
  /** It is in the folder of a file that the failures name. */
  sameFolder: 4,
  elsewhere: 5,
  /** Text and lock files, which rarely decide whether code works. */
  unlikely: 6,
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
const LINES_ABOVE = 40;
const LINES_BELOW = 2;
const SAID_WEIGHT = 3;
/** Words of most programs, which do not tell one part of a program from another. */
const COMMON_WORD =
  /^(?:and|any|args|assert|async|await|bool|break|case|catch|class|const|continue|def|default|else|enum|err|error|except|expect|export|false|final|finally|for|from|func|function|get|if|impl|import|in|int|interface|is|isinstance|it|kwargs|len|let|list|map|mut|name|new|nil|none|not|null|number|object|of|or|pass|private|pub|public|raise|return|self|set|static|str|string|struct|super|switch|test|this|throw|true|try|type|undefined|use|value|var|void|while|with|yield)$/i;

/** Measures how near files of a repository are to the failures of a run. All paths are relative to the top folder. */
export class Nearness {
  /** The lines at which failures name each file; 0 where they name no line. */
  readonly #named = new Map<string, number[]>();
  /** The files of the failures themselves. */
  readonly #failed = new Set<string>();
  readonly #folders: ReadonlySet<string>;
  readonly #stems: ReadonlySet<string>;
  readonly #imported: ReadonlySet<string>;
  /** The words of the failures, and of the code where they are. */
  readonly #said = new Set<string>();
  readonly #around = new Set<string>();

  constructor(run: FailedRun) {
    for (const { file, line } of placesOf(run.findings)) {
      const path = fromTop(file, run);
      this.#name(path, line);
      if (path !== undefined) this.#failed.add(path);
    }
    for (const { groups } of run.output.matchAll(NUMBERED_PATH))
      this.#name(fromTop(groups?.["path"] ?? "", run), Number(groups?.["line"]));
    const paths = [...this.#named.keys()];
    const failed = this.#failed.size > 0 ? [...this.#failed] : paths;
    this.#folders = new Set(failed.map((path) => posix.dirname(path)));
    this.#stems = new Set(failed.map(stemOf));
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
    const isMentioned = this.linesIn(path).length > 0;
    if (isMentioned && (this.#failed.size === 0 || endsOf(path).some((end) => this.#failed.has(end))))
      return NEAR.named;
    if (UNLIKELY_FILE.test(path)) return NEAR.unlikely;
    if (isMentioned || this.#stems.has(stemOf(path))) return NEAR.namesake;
    if (this.#imported.has(moduleOf(path) ?? "")) return NEAR.imported;
    if (this.#imported.has(posix.basename(posix.dirname(path)))) return NEAR.importedFolder;
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

  /** The lines at which failures name a file. */
  linesIn(path: string): number[] {
    return endsOf(path).flatMap((end) => this.#named.get(end) ?? []);
  }

  /** Whether the name or the message of a failure has a word. */
  isSaid(word: string): boolean {
    return this.#said.has(word);
  }

  /** How much a word has to do with the failures: more if they say it than if it is in the code where they are. */
  weightOf(word: string): number {
    if (COMMON_WORD.test(word)) return 0;
    return (this.#said.has(word) ? SAID_WEIGHT : 0) + (this.#around.has(word) ? 1 : 0);
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

/** A path without some or all of its folders, because some tools print only the end of a path. */
function endsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.map((_, from) => parts.slice(from).join("/"));
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
  for (const word of wordsIn(text)) words.add(word);
}

const WORD = /[\p{L}\p{N}_$-]+/gu;
const WORD_PART = /\p{Lu}?\p{Ll}{3,}|\p{Lu}{4,}/gu;

/** The words of a text, and in small letters the words that longer ones consist of. */
export function* wordsIn(text: string): Generator<string> {
  for (const [word] of text.matchAll(WORD)) {
    yield word;
    for (const [part] of word.matchAll(WORD_PART)) if (part !== word) yield part.toLowerCase();
  }
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

/** The word by which other files import a file; undefined for one that stands for its folder, as `index.ts` does. */
function moduleOf(path: string): string | undefined {
  return isEntry(path) ? undefined : (posix.basename(path).split(".")[0] ?? "");
}

/** Whether a file stands for its folder. It mostly names what the others of the folder define. */
export function isEntry(path: string): boolean {
  return /^(?:index|mod|__init__)\./.test(posix.basename(path));
}

/** The first bytes of a file; empty if a stack names a file that is not there or is not a regular file. */
export function beginningOf(file: string): string {
  return readFileStart(file, MAX_READ_BYTES)?.toString("utf8") ?? "";
}
