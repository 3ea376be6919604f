import type { SymbolPlace } from "../../model/hit.ts";
import type { Outline, SymbolKind } from "../../model/symbol.ts";
import type { View, ViewFile } from "../live/view.ts";
import type { SymbolBrief } from "../store/record.ts";
import { syntaxOf } from "../text/code-syntax.ts";
import { mentionsIn } from "../text/mentions.ts";
import { foldName, LINES_PER_CHUNK } from "../text/terms.ts";
import type { ImportGraph } from "./import-counts.ts";
import { createResolver } from "./related.ts";

/** The functions that use a definition, and the tests among them. */
export interface Callers {
  readonly callers: readonly SymbolPlace[];
  readonly tests: readonly SymbolPlace[];
}

/** Reads the outlines and lines of files. */
interface SourceReader {
  outline(file: ViewFile): Promise<Outline | undefined>;
  lines(file: ViewFile): Promise<readonly string[]>;
}

const MAX_CALLERS = 5;
const MAX_TESTS = 3;
/** Upper bound on the files that are read; those that import the definition's file come first. */
const MAX_READ_FILES = 40;
const MIN_NAME_LENGTH = 3;

const CALLED: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "class", "struct"]);
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "test"]);

/**
 * Finds functions that use a definition. A use counts only if its name can refer to no other definition, as for the
 * names that a range of code uses; calls on objects of unknown type are left out.
 */
export async function callersOf(
  view: View,
  target: { readonly file: ViewFile; readonly symbol: number },
  { reader, imports }: { readonly reader: SourceReader; readonly imports: ImportGraph },
): Promise<Callers> {
  const brief = view.documentOf(target.file).symbols[target.symbol];
  const found = { callers: new Map<string, SymbolPlace>(), tests: new Map<string, SymbolPlace>() };
  if (brief === undefined || !CALLED.has(brief.kind) || brief.name.length < MIN_NAME_LENGTH)
    return lists(found);
  for (const { file, chunks } of filesWithName(view, brief.name, target.file, imports)) {
    const into = file.facts.role.test ? found.tests : found.callers;
    if (into.size >= (into === found.tests ? MAX_TESTS : MAX_CALLERS)) continue;
    const outline = await reader.outline(file);
    if (outline === undefined) continue;
    const lines = await reader.lines(file);
    for (const place of usingFunctions(lines, outline, chunks, brief.name)) {
      if (file === target.file && place.symbol === target.symbol) continue;
      if (!refersTo(view, { file, lines, outline, imports, place }, { file: target.file, brief })) continue;
      const { kind, name, lineStart } = outline.symbols[place.symbol] ?? {
        kind: "fn",
        name: "",
        lineStart: 1,
      };
      into.set(`${file.path}:${lineStart}`, { kind, name, path: file.path, line: lineStart });
    }
  }
  return lists(found);
}

function lists({ callers, tests }: Record<"callers" | "tests", ReadonlyMap<string, SymbolPlace>>): Callers {
  return {
    callers: [...callers.values()].slice(0, MAX_CALLERS),
    tests: [...tests.values()].slice(0, MAX_TESTS),
  };
}

interface NameInFile {
  readonly file: ViewFile;
  /** Numbers of the file's chunks that contain the name. */
  readonly chunks: readonly number[];
}

/** Returns the files that contain a name: first the definition's own, then those that import it, then its folder. */
function filesWithName(view: View, name: string, own: ViewFile, imports: ImportGraph): readonly NameInFile[] {
  const chunksOf = new Map<ViewFile, number[]>();
  for (const [number, { segment }] of view.segments.entries()) {
    const term = segment.vocabulary.indexOf(foldName(name));
    if (term < 0) continue;
    for (let at = segment.postingStart[term] ?? 0; at < (segment.postingStart[term + 1] ?? 0); at++) {
      const chunk = segment.postingChunk[at] ?? 0;
      const document = segment.chunkDocument[chunk] ?? 0;
      view.eachFile(number, document, (index) => {
        const file = view.files[index];
        if (file === undefined || file.facts.kind !== "code") return;
        const chunks = chunksOf.get(file) ?? [];
        chunks.push(chunk - (segment.chunkStart[document] ?? 0));
        chunksOf.set(file, chunks);
      });
    }
  }
  const folder = own.path.slice(0, own.path.lastIndexOf("/") + 1);
  const distance = (file: ViewFile): number =>
    file === own ? 0 : imports.targetsOf(file).has(own.path) ? 1 : file.path.startsWith(folder) ? 2 : 3;
  return [...chunksOf]
    .map(([file, chunks]) => ({ file, chunks, far: distance(file) }))
    .sort((a, b) => a.far - b.far || (a.file.path < b.file.path ? -1 : 1))
    .slice(0, MAX_READ_FILES);
}

interface UsingFunction {
  readonly symbol: number;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** Returns the innermost functions around the lines that contain a name. */
function usingFunctions(
  lines: readonly string[],
  { symbols }: Outline,
  chunks: readonly number[],
  name: string,
): readonly UsingFunction[] {
  const found = new Map<number, UsingFunction>();
  for (const chunk of chunks)
    for (let line = chunk * LINES_PER_CHUNK; line < (chunk + 1) * LINES_PER_CHUNK; line++) {
      if (lines[line]?.includes(name) !== true) continue;
      const symbol = symbols.findLastIndex(
        ({ kind, lineStart, lineEnd }) => FUNCTIONS.has(kind) && lineStart <= line + 1 && line + 1 <= lineEnd,
      );
      const { lineStart = 1, lineEnd = 1 } = symbols[symbol] ?? {};
      if (symbol >= 0) found.set(symbol, { symbol, lineStart, lineEnd });
    }
  return [...found.values()];
}

/** Returns true if a name in a function can refer only to the given definition. */
function refersTo(
  view: View,
  code: Parameters<typeof createResolver>[1],
  target: { readonly file: ViewFile; readonly brief: SymbolBrief },
): boolean {
  const syntax = syntaxOf(code.outline.language);
  if (syntax === undefined) return false;
  const { lineStart, lineEnd } = code.place;
  const resolve = createResolver(view, code, syntax);
  return mentionsIn(code.lines.slice(lineStart - 1, lineEnd).join("\n"), syntax).some((mention) => {
    if (mention.name !== target.brief.name) return false;
    const definition = resolve(mention);
    return (
      definition !== undefined &&
      definition.file === target.file &&
      definition.brief.lineStart === target.brief.lineStart
    );
  });
}
