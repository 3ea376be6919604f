import { balanced } from "./balance.ts";
import { blanked } from "./blank.ts";
import type { SymbolKind } from "../model/symbol.ts";
import type { Grammar } from "./language.ts";
import type { ErrorRange } from "./recover.ts";
import type { Walked } from "./walk.ts";

/** A text as it was parsed, and what was read from it. */
export interface Reading {
  readonly prepared: string;
  readonly walked: Walked;
}

/** Errors on fewer lines than this hide little where the brackets are in balance. */
const MIN_ERROR_LINES = 4;
/** How many unreadable lines are taken out one after the other. */
const MAX_BAD_LINES = 3;

/** A better reading of a text with errors, by whatever repair leaves fewer lines unread. Indexes and lines stay. */
export function mended(first: Reading, grammar: Grammar, parse: (prepared: string) => Walked): Reading {
  let best = better(first, grammar.repair, parse);
  if (grammar.comments.block?.[0] !== "/*" || best.walked.errors.length === 0) return best;
  best = whole(best, better(best, balanced, parse));
  for (let tries = 0; tries < MAX_BAD_LINES && !isReadable(best); tries += 1) {
    const next = whole(best, better(best, withoutBadLine(best.walked.errors), parse));
    if (next.prepared === best.prepared) return best;
    best = next;
  }
  return best;
}

function isReadable({ walked }: Reading): boolean {
  return linesOf(walked.errors) < MIN_ERROR_LINES;
}

/** A text that had to be changed in its structure stays one with errors. */
function broken({ prepared, walked }: Reading): Reading {
  return { prepared, walked: walked.hasErrors ? walked : { ...walked, hasErrors: true } };
}

type Repair = ((text: string) => string) | undefined;

/** The reading of a repaired text where it holds fewer errors. */
function better(reading: Reading, repair: Repair, parse: (prepared: string) => Walked): Reading {
  const prepared = repair?.(reading.prepared) ?? reading.prepared;
  if (prepared === reading.prepared) return reading;
  const walked = parse(prepared);
  return damage(walked) < damage(reading.walked) ? { prepared, walked } : reading;
}

/** The same for a repair that changes the text's structure: one that loses types or functions was none. */
function whole(reading: Reading, next: Reading): Reading {
  // A text that then parses without a fault is believed where it says that something is no frame after all.
  const least = frames(reading.walked) * (next.walked.errors.length === 0 ? CLEAN_SHARE : 1);
  return frames(next.walked) < least ? reading : broken(next);
}

const CLEAN_SHARE = 0.9;
/** Names without a body of their own; inside a broken function they look like those of the file. */
const PLAIN_KINDS: ReadonlySet<SymbolKind> = new Set(["const", "var", "field", "property", "prototype"]);

/** How many types and functions were read. */
function frames({ symbols }: Walked): number {
  return symbols.filter(({ kind }) => !PLAIN_KINDS.has(kind)).length;
}

function damage({ errors }: Walked): number {
  return linesOf(errors) + errors.length;
}

/** How many lines hold an error; the ranges come in the order of their beginnings. */
function linesOf(errors: readonly ErrorRange[]): number {
  let lines = 0;
  let end = 0;
  for (const { first, last } of errors) {
    lines += Math.max(0, last - Math.max(first, end + 1) + 1);
    end = Math.max(end, last);
  }
  return lines;
}

/** Blanks the line of the first error that holds no other. */
function withoutBadLine(errors: readonly ErrorRange[]): (text: string) => string {
  return (text) => {
    const error = errors.find(
      (one) => !errors.some((other) => other !== one && one.first <= other.first && other.last <= one.last),
    );
    if (error === undefined) return text;
    let start = 0;
    for (let line = 1; line < error.first && start >= 0; line += 1) start = text.indexOf("\n", start) + 1;
    const end = text.indexOf("\n", start);
    return blanked(text, [[start, end < 0 ? text.length : end]]);
  };
}
