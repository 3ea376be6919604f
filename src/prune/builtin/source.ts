import { estimateTokens } from "../../kernel/tokens.ts";
import { MAX_LINE_LENGTH } from "../../index/text/terms.ts";
import { definitionsOf } from "./definitions.ts";
import type { Definition } from "./definitions.ts";
import { importedNames, isBlank, isImport } from "./line-kinds.ts";
import { wishesOf } from "./question.ts";
import { scoreBlocks } from "./score.ts";
import { chooseLines } from "./select.ts";
import { termsOfLines } from "./terms-of-lines.ts";
import { worthOf } from "./worth.ts";
import type { SourceText } from "./worth.ts";

/** What a stretch costs beside its lines: its mark is some six tokens. */
const GAP = 6;
/** Tokens of a line that is shown rather than marked as left out. */
const SHORT_LINE = 50;
/** Of the budget, for imports that kept code uses. */
const IMPORT_SHARE = 0.05;
const WORD = /[A-Za-z_$][\w$]*/g;

/** The lines of source that answer the question, for a share of its tokens; undefined when nothing in it is asked for. */
export function pruneSource(
  lines: readonly string[],
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  const costs = costsOf(lines);
  const text: SourceText = { lines, terms: termsOfLines(lines), definitions: definitionsOf(lines), costs };
  const worth = worthOf(text, wishesOf(question));
  if (worth === undefined) return undefined;
  const budget = keep * sum(costs);
  const enclosing = enclosingLines(text);
  const complete = (chosen: Uint8Array): void => {
    addDeclarations(chosen, enclosing);
    closeShortGaps(chosen, costs);
  };
  // Imports are paid from the same budget, so they are found first for what would be chosen without them.
  const first = chooseLines({ worth, costs, budget, gap: GAP, complete });
  const imports = importsFor(text, first, budget * IMPORT_SHARE);
  const left = budget - costOf(imports, costs);
  const chosen =
    imports.length === 0 ? first : chooseLines({ worth, costs, budget: left, gap: GAP, complete });
  for (const line of imports) chosen[line] = 1;
  dropLooseBlanks(lines, chosen);
  return new Set(indexesOf(chosen));
}

/** A gap of one line that is not very long costs about as much to mark as to show. */
function closeShortGaps(chosen: Uint8Array, costs: Float64Array): void {
  for (let line = 1; line + 1 < chosen.length; line++)
    if (chosen[line - 1] === 1 && chosen[line + 1] === 1 && (costs[line] ?? 0) <= SHORT_LINE)
      chosen[line] = 1;
}

/** For each line the declaration that it stands under, -1 for none. */
function enclosingLines({ lines, definitions }: SourceText): Int32Array {
  const enclosing = new Int32Array(lines.length).fill(-1);
  const visit = ({ start, end, inner }: Definition): void => {
    enclosing.fill(start, start + 1, end);
    for (const one of inner) {
      visit(one);
      enclosing[one.start] = start;
    }
  };
  for (const definition of definitions) visit(definition);
  return enclosing;
}

function addDeclarations(chosen: Uint8Array, enclosing: Int32Array): void {
  for (let line = chosen.length - 1; line >= 0; line--) {
    const declaration = enclosing[line] ?? -1;
    if (chosen[line] === 1 && declaration >= 0) chosen[declaration] = 1;
  }
}

/** The imports whose names the chosen lines use, as far as there is room. */
function importsFor({ lines, costs }: SourceText, chosen: Uint8Array, room: number): readonly number[] {
  const candidates = [...lines.keys()].filter((line) => chosen[line] === 0 && isImport(lines[line] ?? ""));
  if (candidates.length === 0) return [];
  const used = new Set<string>();
  for (const line of indexesOf(chosen))
    for (const word of (lines[line] ?? "").slice(0, MAX_LINE_LENGTH).match(WORD) ?? []) used.add(word);
  const imports: number[] = [];
  let left = room;
  for (const index of candidates) {
    if ((costs[index] ?? 0) > left) continue;
    if (!importedNames(lines[index] ?? "").some((name) => used.has(name))) continue;
    imports.push(index);
    left -= costs[index] ?? 0;
  }
  return imports;
}

/** A blank line only parts two lines that are both there. */
function dropLooseBlanks(lines: readonly string[], chosen: Uint8Array): void {
  for (const [line, text] of lines.entries()) {
    if (chosen[line] === 0 || !isBlank(text)) continue;
    if (chosen[line - 1] !== 1 || chosen[line + 1] !== 1 || isBlank(lines[line - 1] ?? "")) chosen[line] = 0;
  }
}

/** The same for search results: every line stands for itself. */
export function pruneMatches(
  lines: readonly string[],
  question: string,
  keep: number,
): ReadonlySet<number> | undefined {
  const blocks = lines.map((_, index) => ({ start: index, end: index + 1, headers: [] }));
  const scores = scoreBlocks(blocks, termsOfLines(lines), wishesOf(question));
  if (!scores.found) return undefined;
  const costs = costsOf(lines);
  const worth = scores.blocks.map((score, line) => score * (costs[line] ?? 0));
  return new Set(indexesOf(chooseLines({ worth, costs, budget: keep * sum(costs), gap: 0 })));
}

export function costsOf(lines: readonly string[]): Float64Array {
  return Float64Array.from(lines, (line) => estimateTokens(line) + 1);
}

function costOf(lines: Iterable<number>, costs: Float64Array): number {
  let total = 0;
  for (const line of lines) total += costs[line] ?? 0;
  return total;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}

function indexesOf(chosen: Uint8Array): number[] {
  const indexes: number[] = [];
  for (let line = 0; line < chosen.length; line++) if (chosen[line] === 1) indexes.push(line);
  return indexes;
}
