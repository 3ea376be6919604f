import { languageOf } from "../../languages/detect.ts";
import type { DetailLevel, Hit, SymbolPlace } from "../../model/hit.ts";
import { TEST_KINDS, type CodeSymbol, type Outline } from "../../model/symbol.ts";
import { languageOfText } from "../store/content.ts";
import { modulePathOf, nameInModule, type ModulePath } from "../text/module-path.ts";
import type { FoundPlace, Place } from "../rank/place.ts";
import { storedOutline } from "../store/stored-record.ts";
import { someCallers } from "../uses/use-counts.ts";
import { matchedLines } from "../rank/matched-lines.ts";
import { relatedSymbols } from "../uses/related.ts";
import { useSourceOf } from "../uses/use-source.ts";
import { resultIdOf } from "./result-id.ts";
import type { HitSource } from "./hit-source.ts";
import type { ViewFile } from "../live/view.ts";

const CONTEXT_LINES = 10;
/** Number of the first results for which callers and tests are looked up. */
const MAX_LINKED = 3;

/**
 * Describes the places (ranges of lines) that a query found, at a level of detail. Each file's text and outline is read
 * once.
 */
export async function describePlaces(
  places: readonly FoundPlace[],
  source: HitSource,
  level: DetailLevel,
): Promise<Hit[]> {
  const files = createFileReader(source);
  const hits: Hit[] = [];
  for (const [index, found] of places.entries()) {
    const isLinked = level === "detailed" || index < MAX_LINKED;
    const hit = await describe(found, { source, files, level, isLinked });
    const stale = isStale(found.file, source) || files.hasChanged(found.file);
    hits.push(stale ? { ...hit, stale } : hit);
  }
  return hits;
}

const readers = new WeakMap<object, FileReader>();

/** Returns the file reader of one answer. It reads each file only once, so that all parts of the answer agree. */
export function createFileReader(source: Pick<HitSource, "project" | "store" | "ref">): FileReader {
  const known = readers.get(source) ?? openReader(source);
  readers.set(source, known);
  return known;
}

function openReader({ project, store, ref }: Pick<HitSource, "project" | "store" | "ref">) {
  const changed = new Set<string>();
  const outlines = new Map<string, Promise<Outline | undefined>>();
  const texts = new Map<string, Promise<readonly string[]>>();
  return {
    outline(file: ViewFile): Promise<Outline | undefined> {
      const known = outlines.get(file.key);
      if (known !== undefined) return known;
      const read = store
        .outline(file.key)
        .then((bytes) => (bytes === undefined ? undefined : storedOutline(bytes)));
      outlines.set(file.key, read);
      return read;
    },
    lines(file: ViewFile): Promise<readonly string[]> {
      const known = texts.get(file.path);
      if (known !== undefined) return known;
      const read = project.textOf(file, ref).then((found) => {
        if (found?.isSame !== true) changed.add(file.path);
        return (found?.text ?? "").split(/\r?\n/);
      });
      texts.set(file.path, read);
      return read;
    },
    /** Returns true if the text of the file that was read differs from the indexed version. */
    hasChanged: (file: ViewFile): boolean => changed.has(file.path),
  };
}

export type FileReader = ReturnType<typeof openReader>;

/**
 * Returns true if the file has changed since the index was searched. It must be called after the file was read, so that
 * no change is missed.
 */
export function isStale({ path, key }: ViewFile, { index }: HitSource): boolean {
  return index.isStale(path) || index.entries.get(path)?.key !== key;
}

interface Description {
  readonly source: HitSource;
  readonly files: FileReader;
  readonly level: DetailLevel;
  /** True if callers and tests are looked up. */
  readonly isLinked: boolean;
}

async function describe(found: FoundPlace, { source, files, level, isLinked }: Description): Promise<Hit> {
  const { file, place, score, factors, match, similarity, semanticOnly, isFurther, showsBody } = found;
  const outline = await files.outline(file);
  const symbol = place.symbol === undefined ? undefined : outline?.symbols[place.symbol];
  const { lineStart, lineEnd } = place;
  const base: Hit = {
    path: file.path,
    lineStart,
    lineEnd,
    resultId: resultIdOf(file, place),
    score,
    ...(similarity !== undefined && { similarity }),
    ...(semanticOnly === true && { semanticOnly }),
    ...(isFurther === true && { isFurther }),
    language: outline?.language ?? languageOf(file.path)?.id ?? "text",
    ...(symbol !== undefined && { kind: symbol.kind, name: symbol.name }),
    ...(match !== undefined && { match }),
    reasons: factors,
  };
  if (level === "location") return base;
  const isShort = level === "signature" && showsBody !== true;
  const lines = symbol === undefined || !isShort ? await files.lines(file) : [];
  const signed: Hit = {
    ...base,
    ...(outline === undefined && lines.length > 0 && { language: languageOfText(file.path, lines[0] ?? "") }),
    ...(symbol === undefined
      ? headingOf(lines, place)
      : signatureOf(symbol, outline && modulePathOf(file.path, outline, source.view))),
  };
  if (isShort) return signed;
  const detailed: Hit = { ...signed, content: lines.slice(lineStart - 1, lineEnd).join("\n") };
  if (level === "signature") return { ...detailed, showsBody: true };
  if (level === "concise") return detailed;
  const related = await relatedSymbols(useSourceOf(source), file, place);
  const parent = parentOf(outline, symbol, file.path);
  const nested: Hit = {
    ...detailed,
    ...(parent !== undefined && { parent }),
    ...(related.length > 0 && { related: await withSignatures(related, source, files) }),
    ...(found.matcher !== undefined && { matchedLines: matchedLines(lines, place, found.matcher) }),
    ...(isLinked &&
      place.symbol !== undefined &&
      (await someCallers(source, { file, symbol: place.symbol }, (one) => files.outline(one)))),
  };
  return level === "context" ? nested : { ...nested, ...contextAround(lines, place) };
}

/** Adds the signatures of related definitions, as their outlines have them. */
async function withSignatures(
  related: readonly SymbolPlace[],
  { view }: HitSource,
  reader: FileReader,
): Promise<readonly SymbolPlace[]> {
  return Promise.all(
    related.map(async (place) => {
      const file = view.fileAt(place.path);
      const outline = file === undefined ? undefined : await reader.outline(file);
      const signature = outline?.symbols.find(
        ({ name, lineStart }) => name === place.name && lineStart === place.line,
      )?.signature;
      return signature === undefined ? place : { ...place, signature };
    }),
  );
}

function signatureOf(symbol: CodeSymbol, path: ModulePath | undefined): Partial<Hit> {
  const { qualifiedName, name, signature, visibility } = symbol;
  const before = qualifiedName.endsWith(name) ? qualifiedName.slice(0, -name.length) : "";
  const owner = TEST_KINDS.has(symbol.kind) ? "" : before.replace(/[^\p{L}\p{N}_>)\]]+$/u, "");
  return {
    qualifiedName: nameInModule(symbol, path),
    ...(owner !== "" && { owner }),
    signature,
    ...(visibility !== undefined && { visibility }),
  };
}

/** Returns the first line of a place (range of lines) that contains a word. */
function headingOf(lines: readonly string[], { lineStart, lineEnd }: Place): { heading?: string } {
  const heading = lines.slice(lineStart - 1, lineEnd).find((line) => /\w\w/.test(line));
  return heading === undefined ? {} : { heading: heading.trim() };
}

function parentOf(
  outline: Outline | undefined,
  symbol: CodeSymbol | undefined,
  path: string,
): SymbolPlace | undefined {
  const parent = symbol?.parent === undefined ? undefined : outline?.symbols[symbol.parent];
  return parent === undefined
    ? undefined
    : { kind: parent.kind, name: parent.name, path, line: parent.lineStart };
}

function contextAround(lines: readonly string[], { lineStart, lineEnd }: Place): Partial<Hit> {
  const before = lines.slice(Math.max(0, lineStart - 1 - CONTEXT_LINES), lineStart - 1).join("\n");
  const after = lines.slice(lineEnd, lineEnd + CONTEXT_LINES).join("\n");
  return { ...(before !== "" && { contextBefore: before }), ...(after !== "" && { contextAfter: after }) };
}
