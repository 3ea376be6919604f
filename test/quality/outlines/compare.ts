import type { CodeSymbol } from "../../../src/model/symbol.ts";
import type { TruthByFile } from "./truth.ts";

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly name: string;
}

export interface Comparison {
  readonly files: number;
  readonly asked: number;
  readonly missed: readonly Place[];
  readonly ours: number;
  /** Pith's symbols that the reference program does not list. */
  readonly unknown: readonly Place[];
}

/** Compares by name and line. A difference of one line is ignored, because attributes may be above a name. */
export function compare(
  outlines: ReadonlyMap<string, readonly CodeSymbol[]>,
  truth: TruthByFile,
): Comparison {
  const missed: Place[] = [];
  const unknown: Place[] = [];
  let asked = 0;
  let ours = 0;
  for (const [file, found] of truth) {
    const symbols = outlines.get(file) ?? [];
    const known = placesOf(symbols.map(({ name, lineStart }) => ({ name, line: lineStart })));
    const theirs = placesOf(found);
    ours += symbols.length;
    const seen = new Set<string>();
    for (const { name, line, kind, isOptional } of found) {
      const key = `${line} ${name}`;
      if (isOptional === true || seen.has(key)) continue;
      seen.add(key);
      asked += 1;
      if (!isAmong(known, name, line)) missed.push({ file, line, kind, name });
    }
    for (const { name, lineStart, kind } of symbols)
      if (!isAmong(theirs, name, lineStart)) unknown.push({ file, line: lineStart, kind, name });
  }
  return { files: truth.size, asked, missed, ours, unknown };
}

function placesOf(list: readonly { readonly name: string; readonly line: number }[]): Set<string> {
  return new Set(list.flatMap(({ name, line }) => formsOf(name).map((form) => `${line} ${form}`)));
}

function isAmong(places: ReadonlySet<string>, name: string, line: number): boolean {
  const forms = formsOf(name);
  return [line, line - 1, line + 1].some((near) => forms.some((form) => places.has(`${near} ${form}`)));
}

/**
 * Normalizes a name, because programs differ in sigils, spaces and qualification (`$a`, `operator ==`, `A::b`, `.c`)
 * and in the markup of headings.
 */
function formsOf(name: string): string[] {
  if (name.startsWith("operator")) return [name.replaceAll(/\s/gu, "")];
  const bare = name.replaceAll(/^[$.#:%@"'`]+|[=`"']+$/gu, "");
  const last = bare.slice(Math.max(...[".", ":", "\\"].map((mark) => bare.lastIndexOf(mark))) + 1);
  const words = name
    .replaceAll(/\]\([^)]*\)|<[^>]*>|\s*\{[#.:][^{}]*\}$/gu, "")
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "");
  return words === "" ? [last] : [last, words];
}
