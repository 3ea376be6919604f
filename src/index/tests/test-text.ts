import { stemOf } from "../text/stems.ts";
import { termFilter } from "./term-filter.ts";
import { scanWords, termsOfIdentifier } from "../text/terms.ts";

/** What the text of a test file says about the code that it tests. */
export interface TestText {
  /** Whether a word occurs in it. */
  has(word: string): boolean;
  /** How often a part of an identifier occurs in it. */
  count(term: string): number;
  /** The modules that it imports, with slashes between their parts; relative ones begin with a dot. */
  readonly imports: readonly string[];
  readonly length: number;
}

/** Longest part of a text that is read. Test data in a file is no use. */
const MAX_CHARACTERS = 400_000;

/** Reads test files for some words and for the parts of them that are names. */
export function testTextReader(wanted: Iterable<string>): (text: string) => TestText {
  const words = new Set(wanted);
  // A name such as `global-setup` or `feed.fixture` is no word of code, and stands in strings.
  const literals = [...words].filter((word) => /[^\w$]/.test(word));
  const terms = new Set([...words].flatMap(termsOf));
  /** What is wanted of each word that was read before; most words occur in many texts. */
  const known = new Map<string, readonly string[]>();
  const mayHold = termFilter(terms);
  const wantedIn = (word: string): readonly string[] => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const found = termsOf(word).filter((term) => terms.has(term));
    // A word that is part of a text keeps the whole text in memory; a copy does not.
    known.set(Buffer.from(word).toString(), found);
    return found;
  };
  return (text) => {
    const found = new Set<string>();
    const counts = new Map<string, number>();
    const end = Math.min(text.length, MAX_CHARACTERS);
    scanWords(text, 0, end, (word) => {
      if (words.has(word)) found.add(word);
      if (mayHold(word)) for (const term of wantedIn(word)) counts.set(term, (counts.get(term) ?? 0) + 1);
    });
    for (const literal of literals) if (text.includes(literal)) found.add(literal);
    return {
      has: (word) => found.has(word),
      count: (term) => counts.get(term) ?? 0,
      imports: importsIn(text.slice(0, end)),
      length: text.length,
    };
  };
}

/** The stems of the parts of an identifier, and of the whole. */
export function termsOf(identifier: string): string[] {
  return termsOfIdentifier(identifier).map(stemOf);
}

const MAX_LINE = 600;
const MAX_IMPORTS = 300;
const IMPORT_LINE =
  /^\s*(?:import|from|export|#\s*include|@import|use|using|require|require_relative|require_once|include|mod|extern crate|load|source|alias|open|pub use)\b|\brequire\s*\(|\bimport\s*\(|\}\s*from\s*["']|\b(?:jest|vi)\.\w*[mM]ock\(|^\s*(?:\w+\s+)?"[\w.~/-]+"\s*$|\bautoload\b/;

/** The modules that import statements of any language name, by their form alone. */
function importsIn(text: string): string[] {
  const found = new Set<string>();
  let open = "";
  for (const line of text.split("\n")) {
    if (open !== "") {
      for (const [name] of line.matchAll(/[A-Za-z_]\w*/g)) found.add(`${open}/${name}`);
      if (/[)};]/.test(line)) open = "";
    } else if (line.length <= MAX_LINE && IMPORT_LINE.test(line)) open = addImports(line, found);
    if (found.size >= MAX_IMPORTS) break;
  }
  return [...found];
}

/** Adds the modules of a line. Returns the module whose list of names goes on in the next lines, or an empty text. */
function addImports(line: string, found: Set<string>): string {
  const quoted = [...line.matchAll(/["'<]([\w@.~:/\\-]{1,200})["'>]/g)].map(([, text = ""]) => text);
  if (quoted.length > 0 && !/^\s*from\s/.test(line)) {
    for (const text of quoted) found.add(withoutEnding(text));
    return "";
  }
  const python = /^\s*from\s+(\.*)([\w.]*)\s+import\s+(.*)$/.exec(line);
  if (python !== null) {
    const [, dots = "", path = "", rest = ""] = python;
    const base = `${upFrom(dots)}${path.replaceAll(".", "/")}`.replace(/\/$/, "");
    found.add(base);
    for (const [name] of rest.replace(/#.*/, "").matchAll(/[A-Za-z_]\w*/g)) found.add(`${base}/${name}`);
    return rest.includes("(") && !rest.includes(")") ? base : "";
  }
  const bare = line
    .replace(/\/\/.*|#(?!\s*include).*/, "")
    .replace(/^\s*[a-z_]+(?:\s+(?:static|use|crate|function|const|global))?\s+/, "");
  const [head = "", names = ""] = bare.split("{");
  for (const chain of head.split(/,|\bas\s+\w+/)) {
    const path = chain
      .replace(/[;=\s].*$/, "")
      .replaceAll(/::|[.\\]/g, "/")
      .replaceAll(/\/+/g, "/")
      .replace(/\/\*?$/, "");
    if (/^[\w/]+$/.test(path)) found.add(path.replace(/^(?:crate|self|super)\//, ""));
  }
  const base = head
    .trim()
    .replaceAll(/::|[.\\]/g, "/")
    .replaceAll(/\/+/g, "/")
    .replace(/\/$/, "")
    .replace(/^(?:crate|self|super)\//, "");
  if (names !== "" && /^[\w/]+$/.test(base)) {
    for (const [name] of names.matchAll(/[A-Za-z_]\w*/g)) found.add(`${base}/${name}`);
    if (!names.includes("}")) return base;
  }
  return "";
}

function upFrom(dots: string): string {
  if (dots === "") return "";
  return dots.length === 1 ? "./" : "../".repeat(dots.length - 1);
}

function withoutEnding(text: string): string {
  return text
    .replaceAll("\\", "/")
    .replace(/\.(?:[cm]?[jt]sx?|h|hh|hpp|hxx|vue|svelte|rb|php|py|dart)$/, "")
    .replace(/(?<=.)\/index$/, "");
}

/** How directly an import leads to a file: 1 to the file itself, less to its folder or to a namesake. */
export function importStrength(imported: string, from: string, target: readonly string[]): number {
  const isRelative = imported.startsWith(".");
  const wanted = isRelative
    ? resolve(from, imported)
    : imported.split("/").filter((part) => part !== "" && part !== "@" && part !== "~");
  if (wanted.length === 0) return 0;
  if (isRelative)
    return sameEnd(wanted, target, target.length)
      ? 1
      : sameEnd(wanted, target.slice(0, -1), target.length - 1)
        ? 0.35
        : 0;
  const depth = Math.min(2, target.length);
  const module = wanted.slice(0, -1);
  if (sameEnd(wanted, target, depth) || sameEnd(module, target, depth)) return 1;
  if (sameEnd(wanted, target, 1) || sameEnd(module, target, 1)) return 0.6;
  const folder = target.slice(0, -1);
  return sameEnd(wanted, folder, Math.min(2, folder.length)) ||
    sameEnd(module, folder, Math.min(2, folder.length))
    ? 0.35
    : 0;
}

function resolve(from: string, imported: string): string[] {
  const parts = from.split("/").slice(0, -1);
  for (const part of imported.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  return parts;
}

/** Whether two paths end with the same `count` parts. */
function sameEnd(a: readonly string[], b: readonly string[], count: number): boolean {
  if (count === 0 || a.length < count || b.length < count) return false;
  for (let at = 1; at <= count; at++) if (a.at(-at) !== b.at(-at)) return false;
  return true;
}

/** The parts of a path by which other files import it; those of the folder for a file that stands for its folder. */
export function moduleParts(path: string): string[] {
  const bare = path.replace(/(?:\.d)?\.\w+$/, "").replace(/\/(?:index|mod|__init__)$/, "");
  return bare.split("/");
}
