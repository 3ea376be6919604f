import type { SymbolPlace } from "../model/hit.ts";
import type { SymbolKind } from "../model/symbol.ts";
import { foldName, scanWords } from "./terms.ts";
import type { View, ViewFile } from "./view.ts";

const LIMIT = 5;
/** A name with more definitions than this tells nothing. */
const MAX_DEFINITIONS = 6;
/** Local names are not worth a mention. */
const TELLING: ReadonlySet<SymbolKind> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "type",
  "fn",
  "method",
  "const",
  "macro",
]);

/** The definitions that a piece of code uses, those it names most and that fewest others share first. */
export async function relatedSymbols(
  view: View,
  { file, lines, name }: { file: ViewFile; lines: readonly string[]; name: string | undefined },
): Promise<SymbolPlace[]> {
  const mentions = new Map<string, number>();
  for (const line of lines)
    scanWords(line, 0, line.length, (word) => {
      if (word.length > 2 && word !== name) mentions.set(word, (mentions.get(word) ?? 0) + 1);
    });
  const found: { place: SymbolPlace; score: number }[] = [];
  for (const [word, count] of mentions) {
    const places = definitionsOf(view, word, file);
    const [first] = places;
    if (first === undefined || places.length > MAX_DEFINITIONS) continue;
    const near = first.path === file.path ? 1.5 : 1;
    found.push({ place: first, score: (near * Math.log2(1 + count)) / places.length });
  }
  found.sort((a, b) => b.score - a.score || (a.place.name < b.place.name ? -1 : 1));
  return found.slice(0, LIMIT).map(({ place }) => place);
}

/** Definitions of exactly this name; those of the same file first. */
function definitionsOf(view: View, word: string, file: ViewFile): SymbolPlace[] {
  const here: SymbolPlace[] = [];
  const elsewhere: SymbolPlace[] = [];
  for (const [
    segment,
    {
      segment: { names },
    },
  ] of view.segments.entries()) {
    const index = names.folded.indexOf(foldName(word));
    if (index < 0) continue;
    names.each(index, (document, symbol) => {
      const brief = view.segments[segment]?.segment.document(document).symbols[symbol];
      if (brief === undefined || brief.name !== word || !TELLING.has(brief.kind)) return;
      view.eachFile(segment, document, (number) => {
        const { path, facts } = view.files[number] ?? file;
        if (facts.role.test && !file.facts.role.test) return;
        const place = { kind: brief.kind, name: brief.name, path, line: brief.lineStart };
        (path === file.path ? here : elsewhere).push(place);
      });
    });
  }
  return [...here, ...elsewhere];
}
