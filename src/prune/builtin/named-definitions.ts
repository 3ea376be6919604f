import { addToGroup } from "../../kernel/group-by.ts";
import { isPreface } from "./definitions.ts";
import { isBlank } from "./line-kinds.ts";
import type { SourceText } from "./line-relevance.ts";

/** A range of lines; the end is exclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** The definitions that a question names. */
export interface NamedDefinitions {
  readonly ranges: readonly LineRange[];
  /** True if the question names them as code, and not with a word that may be meant as a word. */
  readonly isSure: boolean;
}

const MODIFIERS =
  "(?:(?:export|default|declare|public|private|protected|internal|static|abstract|final|sealed|async|pub(?:\\([a-z]+\\))?|unsafe|override|open|inline|const|let|var|val|local|readonly|mut|my|our|global|extern)\\s+)*";
/**
 * A name after the word that declares it, with the receiver of a Go method or the type parameters of a Kotlin function
 * between. In `struct order *settle(` the word belongs to the type of a function.
 */
const AFTER_KEYWORD =
  /^[^(]*?(?<![\w$.])(?:class|interface|struct|enum|trait|impl|type|module|namespace|record|object|protocol|extension|actor|union|def|defp|defmacro|defmodule|function\s*\*?|func|fun|fn|sub|proc|macro_rules!|#define)\s+(?:\([^)]{0,120}\)\s*)?(?:<[^>]{0,120}>\s*)?((?!(?:class|struct)\b)[A-Za-z_$][\w$]*(?:[.:#]{1,2}[A-Za-z_$][\w$]*)*[?!]?)(?![\w$]|\s*\*|\s+(?!constructor|func)\w+\s*\()/;
/** A name that a function, an object or another value is assigned to. */
const ASSIGNED = new RegExp(
  `^\\s*${MODIFIERS}([A-Za-z_$][\\w$]*(?:[.:#]{1,2}[A-Za-z_$][\\w$]*)*)\\s*(?::[^=]{0,200})?[:=](?!=)`,
);
/** A name before its parameters: a method, or a function of C and its relatives. */
const BEFORE_PARAMETERS = /([A-Za-z_$~][\w$]*)\s*(?:<[^()]{0,200}>)?\s*\(/;
const STATEMENT = /^\s*(?:return|throw|if|for|while|switch|case|await|yield|new|else|do|catch)\b|^\s*[)\]}]/;
/** The last line of a body in braces, which tells a function from a call whose arguments take several lines. */
const END_OF_BODY = /^\s*\}[;,]?\s*(?:\/[/*].*)?$/;
/** A value on one line that is declared, and not only assigned. */
const DECLARED_VALUE =
  /^\s*(?:export\s+|pub(?:\([a-z]+\))?\s+|public\s+|private\s+|protected\s+|internal\s+)*(?:const|let|var|val|static|final|readonly|type|#define|local)\s|^[A-Z][A-Z0-9_]+\s*(?::[^=]*)?=/;
const MAX_HEAD_LENGTH = 300;

/** Returns the last part of the name that a definition declares. */
export function nameOfDefinition(lines: readonly string[], { start, end }: LineRange): string | undefined {
  const line = (lines[start] ?? "").slice(0, MAX_HEAD_LENGTH);
  if (STATEMENT.test(line)) return undefined;
  const name = AFTER_KEYWORD.exec(line)?.[1] ?? ASSIGNED.exec(line)?.[1];
  if (name !== undefined) return end - start > 1 || isDeclaredValue(line) ? lastPart(name) : undefined;
  if (end - start < 2 || !END_OF_BODY.test(lines[end - 1] ?? "")) return undefined;
  return BEFORE_PARAMETERS.exec(line)?.[1];
}

function isDeclaredValue(line: string): boolean {
  return DECLARED_VALUE.test(line) || AFTER_KEYWORD.test(line);
}

function lastPart(name: string): string {
  return name.split(/[.:#]+/).at(-1) ?? name;
}

/** A name in a question, with the name of the definition that contains it where the question has `Owner.name`. */
interface AskedName {
  readonly name: string;
  readonly owner: string | undefined;
  readonly isSure: boolean;
}

const WORDS = /(`)?([A-Za-z_$][\w$]*[?!]?(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*[?!]?)*)(\(|`)?/g;
/** Forms that words of English do not have: a sign or a digit inside, or a capital after a small letter. */
const CODE_FORM = /[_$\d]|[a-z][A-Z]|[A-Z]{2}[a-z]|(?:\.|::|#|->)\w{2}/;

function namesIn(question: string): readonly AskedName[] {
  return [...question.matchAll(WORDS)].map(([, open, words = "", close]) => {
    const isQuoted = open !== undefined;
    const parts = (isQuoted ? words : words.replace(/\?$/, "")).split(/\.|::|#|->/);
    const isSure = isQuoted || close === "(" || CODE_FORM.test(words);
    return { name: parts.at(-1) ?? "", owner: parts.at(-2), isSure };
  });
}

/** Finds the definitions that a question names by their exact names. */
export function definitionsNamedIn(question: string, text: SourceText): NamedDefinitions {
  const all = namesIn(question);
  for (const isSure of [true, false]) {
    const asked = all.filter(
      (one) => one.isSure === isSure && (isSure || one.name.length >= MIN_UNSURE_LENGTH),
    );
    const candidates = linesWithAny(asked, text.lines);
    const found = asked
      .map((one) => withoutConstructors(rangesOf(one, candidates, text)))
      // A word that is the name of several definitions is not meant as the name of one.
      .filter((ranges) => isSure || ranges.length === 1);
    const ranges = withoutOuter(unique(found.flat()));
    if (ranges.length > 0) return { ranges, isSure };
  }
  return { ranges: [], isSure: false };
}

/** A name with more definitions than these says nothing about which of them is meant. */
const MAX_DEFINITIONS_PER_NAME = 50;
/** Shorter words are rarely meant as names. */
const MIN_UNSURE_LENGTH = 4;

/** Returns the indexes of the lines that contain any of the names, found in one pass instead of one for each name. */
function linesWithAny(asked: readonly AskedName[], lines: readonly string[]): readonly number[] {
  if (asked.length === 0) return [];
  const names = asked.map(({ name }) => name.replaceAll(/[$?]/g, String.raw`\$&`));
  const pattern = new RegExp(names.join("|"));
  const found: number[] = [];
  for (let line = 0; line < lines.length; line++) if (pattern.test(lines[line] ?? "")) found.push(line);
  return found;
}

function rangesOf(
  { name, owner }: AskedName,
  candidates: readonly number[],
  { lines, ends }: SourceText,
): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (const start of candidates) {
    const line = lines[start] ?? "";
    if (!line.includes(name) || isPreface(line)) continue;
    const range = { start, end: Math.max(start + 1, ends[start] ?? 0) };
    if (nameOfDefinition(lines, range) !== name) continue;
    ranges.push(range);
    if (ranges.length > MAX_DEFINITIONS_PER_NAME) return [];
  }
  if (owner === undefined || ranges.length < 2) return ranges;
  const owned = ranges.filter(
    ({ start }) => (lines[start] ?? "").includes(owner) || isInside(owner, start, { lines, ends }),
  );
  return owned.length === 0 ? ranges : owned;
}

/** Returns true if a definition of this name contains the line. */
function isInside(owner: string, line: number, { lines, ends }: Pick<SourceText, "lines" | "ends">): boolean {
  for (let start = line - 1; start >= 0; start--) {
    const end = ends[start] ?? 0;
    if (end > line && (lines[start] ?? "").includes(owner)) return true;
  }
  return false;
}

function unique(ranges: readonly LineRange[]): readonly LineRange[] {
  return [...new Map(ranges.map((range) => [range.start, range])).values()];
}

/** Drops definitions inside another one of the same name: a question that names a class is not about its constructor. */
function withoutConstructors(ranges: readonly LineRange[]): readonly LineRange[] {
  return ranges.filter((inner) => !ranges.some((one) => one.start < inner.start && one.end >= inner.end));
}

/** Drops definitions that contain another named one: a class is only the place of its method if both are named. */
function withoutOuter(ranges: readonly LineRange[]): readonly LineRange[] {
  return ranges.filter(
    (outer) => !ranges.some((one) => one !== outer && one.start >= outer.start && one.end <= outer.end),
  );
}

/** Longest comment above a definition that is shown with it. */
const MAX_PREFACE_LINES = 8;

/** Adds the comment and the decorators directly above a definition, unless the comment is long. */
export function withPreface(lines: readonly string[], { start, end }: LineRange): LineRange {
  let first = start;
  while (first > 0 && isPreface(lines[first - 1] ?? "") && !isBlank(lines[first - 1] ?? "")) first--;
  return { start: start - first > MAX_PREFACE_LINES ? start : first, end };
}

const CALLED = /([A-Za-z_$][\w$]*)\s*(?:<[^()]{0,80}>)?\(/g;

/** Returns the definitions of this text that the lines call, in the order of the calls. */
export function definitionsCalledIn(ranges: readonly LineRange[], { lines, ends }: SourceText): LineRange[] {
  const calls = new Set<string>();
  for (const { start, end } of ranges)
    for (let line = start; line < end; line++)
      for (const [, name = ""] of (lines[line] ?? "").slice(0, MAX_HEAD_LENGTH).matchAll(CALLED))
        calls.add(name);
  if (calls.size === 0) return [];
  const found = new Map<string, LineRange[]>();
  for (let start = 0; start < lines.length; start++) {
    const end = ends[start] ?? 0;
    if (end - start < 2 || isPreface(lines[start] ?? "")) continue;
    const name = nameOfDefinition(lines, { start, end });
    if (name !== undefined && calls.has(name)) addToGroup(found, name, { start, end });
  }
  // A name with several definitions does not say which of them is called.
  return [...calls].flatMap((name) => {
    const candidates = found.get(name) ?? [];
    return candidates.length === 1 ? candidates : [];
  });
}
