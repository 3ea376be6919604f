import { blankRanges } from "../repair/blank-ranges.ts";

/** Matches `allows ref` in a constraint such as `where T : allows ref struct`, which the grammar does not know. */
const ALLOWS = /\ballows\s+ref(?=\s+struct\b)/gu;
/** Matches casts to pointers, with the dereference before them: `*(uint*)(p + 1)`, `(byte*)p`. */
const POINTER_CAST = /(?<!\b(?:typeof|sizeof)\s*)\*?\(\s*[A-Za-z_][\w.]*\s*\*+\s*\)(?=\s*[\w(&*])/gu;
/** Matches words such as `type` in the list `[type, other]`, which the grammar takes for the target of an attribute. */
const TARGET = /(?<=\[\s*)(?:type|method|field|param|property|event|module|assembly)(?=\s*[\],.[(])/gu;
const EMPTY_INTERPOLATION = /\$(?=""(?!"))/gu;
/** Matches the keyword of an `extension` block, which is parsed as a class with parameters. */
const EXTENSION = /^([ \t]*)extension(?=[ \t]*[<(])/gmu;
const ASSIGNED_CALL = /\)\s*(?=[-+*/%|&^]?=(?![=>]))/gu;

/** Replaces C# syntax that the grammar does not know or misreads with spaces or with syntax that it knows. */
export function withoutUnknown(text: string): string {
  const result = [ALLOWS, POINTER_CAST, EMPTY_INTERPOLATION]
    .reduce(blankMatches, text)
    .replace(TARGET, (word) => "_".repeat(word.length))
    .replace(EXTENSION, "$1class ion");
  return blankRanges(result, assignedCalls(result));
}

function blankMatches(text: string, pattern: RegExp): string {
  return blankRanges(
    text,
    Array.from(text.matchAll(pattern), ({ index, 0: match }) => [index, index + match.length] as const),
  );
}

type Range = readonly [start: number, end: number];

/**
 * Finds the call on the left side of assignments such as `F(x) = 1` and `(p + 1) = 2`, which the grammar cannot read.
 */
function assignedCalls(text: string): Range[] {
  return Array.from(text.matchAll(ASSIGNED_CALL)).flatMap(({ index: close }): Range[] => {
    const open = openingOf(text, close);
    if (open === undefined) return [];
    if (/[\w>]$/u.test(text.slice(Math.max(0, open - 1), open))) return [[open, close + 1]];
    const name = FIRST_NAME.exec(text.slice(open, close));
    // Brackets that contain a comma are a deconstructed tuple and not a call.
    if (name === null || text.slice(open, close).includes(",")) return [];
    const start = open + name[0].length - (name[1]?.length ?? 0);
    return [
      [open, start],
      [open + name[0].length, close + 1],
    ];
  });
}

const FIRST_NAME = /^\(\W*(\w+)/u;
/** Maximum number of characters that are searched for the beginning of a call on the left side of an assignment. */
const MAX_CALL = 1000;

/** Finds the opening bracket that belongs to the closing bracket at `close`. */
function openingOf(text: string, close: number): number | undefined {
  let depth = 0;
  for (let at = close; at >= Math.max(0, close - MAX_CALL); at -= 1) {
    const code = text.charCodeAt(at);
    if (code === 0x29) depth += 1;
    else if (code === 0x28 && (depth -= 1) === 0) return at;
    else if (code === 0x3b || code === 0x7b) return undefined;
  }
  return undefined;
}
