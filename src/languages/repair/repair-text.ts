import { balanceBrackets } from "./balance-brackets.ts";
import { blankRanges } from "./blank-ranges.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { Grammar } from "../language.ts";
import type { ErrorRange } from "./recover-symbols.ts";
import type { Walked } from "../parse/walk-tree.ts";

/** A text prepared for the grammar, and the result of parsing it. */
export interface Reading {
  readonly prepared: string;
  readonly walked: Walked;
}

/**
 * Number of lines with errors from which further repairs are tried; fewer lines hide too little of a text with balanced
 * brackets.
 */
const MIN_ERROR_LINES = 4;
/** Maximum number of unreadable lines that are replaced with spaces, one after the other, to repair a text. */
const MAX_BAD_LINES = 3;

/**
 * Tries several repairs of a text with errors and keeps the one with the fewest unreadable lines. Offsets stay
 * valid.
 */
export function repairText(first: Reading, grammar: Grammar, parse: (prepared: string) => Walked): Reading {
  let best = applyRepair(first, grammar.repair, parse);
  if (grammar.comments.block?.[0] !== "/*" || best.walked.errors.length === 0) return best;
  best = acceptIfComplete(best, applyRepair(best, balanceBrackets, parse));
  for (let tries = 0; tries < MAX_BAD_LINES && !isReadable(best); tries += 1) {
    const next = acceptIfComplete(best, applyRepair(best, blankBadLine(best.walked.errors), parse));
    if (next.prepared === best.prepared) return best;
    best = next;
  }
  return best;
}

function isReadable({ walked }: Reading): boolean {
  return countErrorLines(walked.errors) < MIN_ERROR_LINES;
}

/** Marks a text whose structure was changed by a repair as having errors, even if it now parses. */
function markBroken({ prepared, walked }: Reading): Reading {
  return { prepared, walked: walked.hasErrors ? walked : { ...walked, hasErrors: true } };
}

type Repair = ((text: string) => string) | undefined;

/** Applies a repair to a text and keeps the result if it has fewer errors. */
function applyRepair(reading: Reading, repair: Repair, parse: (prepared: string) => Walked): Reading {
  const prepared = repair?.(reading.prepared) ?? reading.prepared;
  if (prepared === reading.prepared) return reading;
  const walked = parse(prepared);
  return countDamage(walked) < countDamage(reading.walked) ? { prepared, walked } : reading;
}

/** Accepts a repair that changes the structure of a text only if no types or functions are lost by it. */
function acceptIfComplete(reading: Reading, next: Reading): Reading {
  // If the repaired text parses without errors, it may contain somewhat fewer types and functions.
  const minFrames = countFrames(reading.walked) * (next.walked.errors.length === 0 ? CLEAN_SHARE : 1);
  return countFrames(next.walked) < minFrames ? reading : markBroken(next);
}

const CLEAN_SHARE = 0.9;
/**
 * Kinds of symbols without a body. They are not counted, because local variables of a broken function are mistaken for
 * definitions of the file.
 */
const PLAIN_KINDS: ReadonlySet<SymbolKind> = new Set(["const", "var", "field", "property", "prototype"]);

/** Counts the types and functions among the symbols. */
function countFrames({ symbols }: Walked): number {
  return symbols.filter(({ kind }) => !PLAIN_KINDS.has(kind)).length;
}

function countDamage({ errors }: Walked): number {
  return countErrorLines(errors) + errors.length;
}

/** Counts the lines with errors; the ranges of lines must be sorted by their beginnings. */
function countErrorLines(errors: readonly ErrorRange[]): number {
  let lines = 0;
  let end = 0;
  for (const { first, last } of errors) {
    lines += Math.max(0, last - Math.max(first, end + 1) + 1);
    end = Math.max(end, last);
  }
  return lines;
}

/** Replaces the first line of an error range by spaces; the range is the first one that contains no other. */
function blankBadLine(errors: readonly ErrorRange[]): (text: string) => string {
  return (text) => {
    const error = errors.find(
      (one) => !errors.some((other) => other !== one && one.first <= other.first && other.last <= one.last),
    );
    if (error === undefined) return text;
    let start = 0;
    for (let line = 1; line < error.first && start >= 0; line += 1) start = text.indexOf("\n", start) + 1;
    const end = text.indexOf("\n", start);
    return blankRanges(text, [[start, end < 0 ? text.length : end]]);
  };
}
