/** A prefix that nobody knows is looked for in no more of each line. */
const MAX_LENGTH = 120;
const MAX_CANDIDATES = 12;
/** The share of lines that must begin alike: all of a few. */
const SHARE = 0.98;

/** A piece of a prefix: a run of digits, which may be other ones in the next line, or one character. */
type Piece = "digits" | { readonly character: string };

/** A prefix that may be a wrapper's. */
export interface PrefixCandidate {
  readonly expression: RegExp;
  /** What the lines still have in common behind it: where names of files begin so, the prefix is longer. */
  readonly remainders: readonly RegExp[];
}

/**
 * Prefixes that the lines have in common, but for numbers in them (times, process ids): each ends with a blank, a tab or a sign that parts
 * (`|`, `>`, `:`, `]`). Whether one of them is a wrapper's or the tool's own text, their reader has to find out. The shorter text
 * comes first, and with it the longer run of blanks: most tools write from the first column on.
 */
export function prefixCandidates(lines: readonly string[]): PrefixCandidate[] {
  const told = lines.filter((line) => line.trim() !== "");
  const pieces = withoutPath(commonPieces(told));
  const ends = separatorRuns(pieces)
    .flatMap(({ from, to }) => [to, ...[to - 1, to - 2, to - 4].filter((end) => end > from)])
    .slice(0, MAX_CANDIDATES);
  return ends.map((end) => ({
    expression: expressionOf(pieces.slice(0, end)),
    remainders: remaindersOf(pieces, end, ends),
  }));
}

/** What is common behind a prefix of this length, up to each longer one. A parser takes blanks off before a name. */
function remaindersOf(pieces: readonly Piece[], end: number, ends: readonly number[]): RegExp[] {
  return ends
    .filter((longer) => longer > end)
    .map((longer) => pieces.slice(end, longer))
    .map((rest) => rest.slice(rest.findIndex((piece) => !isBlank(piece))))
    .filter((rest) => rest.some((piece) => !isBlank(piece)))
    .map((rest) => expressionOf(rest));
}

function isBlank(piece: Piece): boolean {
  return piece !== "digits" && piece.character.trim() === "";
}

/** A folder that all lines name is no wrapper's, nor is a drive; names in brackets may hold a slash. */
function withoutPath(pieces: readonly Piece[]): Piece[] {
  let isBracketed = false;
  for (const [index, piece] of pieces.entries()) {
    if (piece === "digits") continue;
    if (piece.character === "[") isBracketed = true;
    if (piece.character === "]") isBracketed = false;
    if (!isBracketed && /[/\\]/.test(piece.character)) return pieces.slice(0, lastSeparator(pieces, index));
  }
  return [...pieces];
}

/** Where the last sign or blank before a path ends; a colon may be that of a drive. */
function lastSeparator(pieces: readonly Piece[], before: number): number {
  return (
    pieces.slice(0, before).findLastIndex((piece) => piece !== "digits" && /[\s|>\]]/.test(piece.character)) +
    1
  );
}

/** Where a prefix may end: behind a sign, and behind any of the blanks that follow each other. */
function separatorRuns(pieces: readonly Piece[]): { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] ?? "digits";
    if (piece === "digits" || !/[\s|>\]:]/.test(piece.character)) continue;
    const open = runs.at(-1);
    if (isBlank(piece) && open?.to === at) open.to = at + 1;
    else runs.push({ from: at, to: at + 1 });
  }
  return runs;
}

/** The pieces with which nearly all lines begin. */
function commonPieces(lines: readonly string[]): Piece[] {
  let best: Piece[] = [];
  // The first line may be the wrapper's own.
  for (const base of [lines[0], lines[Math.floor(lines.length / 2)]]) {
    const pieces = piecesOf(base ?? "");
    const lengths = lines.map((line) => sharedLength(pieces, line)).sort((a, b) => a - b);
    const common = pieces.slice(0, lengths[Math.floor(lines.length * (1 - SHARE))] ?? 0);
    if (common.length > best.length) best = common;
  }
  return best;
}

function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < Math.min(line.length, MAX_LENGTH);) {
    const end = digitsEnd(line, at);
    pieces.push(end > at ? "digits" : { character: line.charAt(at) });
    at = Math.max(end, at + 1);
  }
  return pieces;
}

/** How many of the pieces the line begins with. What a line without any text of its own lacks at its end counts as there. */
function sharedLength(pieces: readonly Piece[], line: string): number {
  let at = 0;
  for (const [index, piece] of pieces.entries()) {
    if (at >= line.length && line.trimEnd().length === line.length && index > 0) return pieces.length;
    const end = piece === "digits" ? digitsEnd(line, at) : at + Number(line.charAt(at) === piece.character);
    if (end === at) return index;
    at = end;
  }
  return pieces.length;
}

function digitsEnd(line: string, from: number): number {
  let end = from;
  while (end < line.length && line.charCodeAt(end) >= 48 && line.charCodeAt(end) <= 57) end++;
  return end;
}

/** The prefix as an expression; a line that holds nothing else may lack its blanks. */
function expressionOf(pieces: readonly Piece[]): RegExp {
  const source = pieces.map((piece) =>
    piece === "digits"
      ? String.raw`\d{1,20}`
      : piece.character.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`),
  );
  const blanks = source.length - source.findLastIndex((one) => one.trim() !== "") - 1;
  const needed = source.slice(0, source.length - blanks).join("");
  return new RegExp(`^${needed}(?:${source.slice(source.length - blanks).join("")}|$)`);
}
