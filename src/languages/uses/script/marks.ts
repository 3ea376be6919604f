import { TEST_KINDS, type CodeSymbol } from "../../../model/symbol.ts";
import type { ModuleLink } from "../../../model/use.ts";
import { CLOSE_PAREN, DOT, EQUALS, firstOfPath, isMark, STAR, stringAt, type Reading } from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";
import { exportedAs } from "./common-exports.ts";

/**
 * An open pair of braces. `class` is the body of a class, `method` and `function` are bodies with a `this` of their own,
 * `ambient` declares names for the whole project or for a module with a name, `block` is anything else.
 */
export interface Block {
  readonly open: number;
  readonly close: number;
  readonly kind: BlockKind;
}

export type BlockKind = "class" | "unnamed class" | "method" | "function" | "arrow" | "ambient" | "block";

/** The bodies of functions. */
export const FUNCTIONS: ReadonlySet<BlockKind> = new Set(["method", "function", "arrow"]);

/** Returns true for the brace of `declare global { … }` or `declare module "a" { … }`. */
export function isAmbient({ kind, name }: Tokens, open: number): boolean {
  if (kind[open - 1] === STRING) return name[open - 2] === "module";
  return name[open - 1] === "global" && name[open - 2] === "declare";
}

/** Marks a definition with where it is visible. `isFileWide` is true for a `var` that no function contains. */
export function markDefinition(
  { tokens, marks, symbols, kept }: Reading,
  token: number,
  { symbol, blocks, isFileWide }: { symbol: number; blocks: readonly Block[]; isFileWide: boolean },
): void {
  if (isMark(tokens, token - 1, DOT)) {
    const first = tokens.name[firstOfPath(tokens, token)];
    if (first === "exports" || first === "module") marks.set(symbol, "exported");
    else {
      if (tokens.name[token - 2] !== "prototype") marks.set(symbol, "static");
      // The statement also assigns to a member that may be declared elsewhere.
      kept.add(token);
    }
    return;
  }
  if (isExportedObject(tokens, blocks.at(-1)?.open ?? -1)) {
    marks.set(symbol, "entry");
    return;
  }
  const around = definitionAround(symbols[symbol], symbols);
  if (around !== undefined && around.kind !== "namespace" && around.kind !== "module") {
    if (blocks.at(-1)?.kind === "class" && isStatic(tokens, token)) marks.set(symbol, "static");
    return;
  }
  const isBranch = isBranchOf(tokens, token - 2);
  if (blocks.length === 0 && !isBranch && !isExported(tokens, token)) marks.set(symbol, "own");
  if (isFileWide || (!isBranch && blocks.every(({ kind }) => kind === "ambient"))) return;
  const isHoisted =
    tokens.name[token - 1] === "function" &&
    blocks.every(({ kind }) => kind === "block") &&
    (tokens.kind[0] !== STRING || stringAt(tokens, 0) !== "use strict");
  marks.set(symbol, isHoisted && around === undefined ? "hoisted" : "inner");
}

/** Returns true for the brace of `module.exports = { … }` or `exports = { … }`. */
function isExportedObject(tokens: Tokens, open: number): boolean {
  return isMark(tokens, open - 1, EQUALS) && exportedAs(tokens, open - 2) === "default";
}

/** Returns true if the statement after a token belongs to it, as that after `else` or after the condition of a loop. */
function isBranchOf({ kind, code, name, match }: Tokens, token: number): boolean {
  if (kind[token] === NAME) return name[token] === "else" || name[token] === "do";
  return code[token] === CLOSE_PAREN && BRANCHES.has(name[(match[token] ?? 0) - 1] ?? "");
}

const BRANCHES: ReadonlySet<string> = new Set(["if", "while", "for", "with"]);

/** Returns the definition around another one; a test is none. */
function definitionAround(
  symbol: CodeSymbol | undefined,
  symbols: readonly CodeSymbol[],
): CodeSymbol | undefined {
  let around = symbols[symbol?.parent ?? -1];
  while (around !== undefined && TEST_KINDS.has(around.kind)) around = symbols[around.parent ?? -1];
  return around;
}

const MODIFIERS: ReadonlySet<string> = new Set(
  "async get set accessor readonly override public private protected declare".split(" "),
);

function isStatic(tokens: Tokens, token: number): boolean {
  let at = token - 1;
  while (MODIFIERS.has(tokens.name[at] ?? "") || isMark(tokens, at, STAR) || isMark(tokens, at, 0x23)) at--;
  return tokens.kind[at] === NAME && tokens.name[at] === "static";
}

/**
 * Completes the marks when everything was read: the code of a module is strict, and what its export statements name is
 * not kept for itself. A file that is no module exports in ways that are not seen.
 */
export function completeMarks({ symbols, marks, links }: Reading, isModule: boolean): void {
  const exported = new Set(
    links.flatMap(({ kind, module, names }) =>
      kind === "export" && module === ""
        ? names.filter(({ name, as }) => name === as).map(({ name }) => name)
        : [],
    ),
  );
  for (const [symbol, mark] of marks) {
    const one = symbols[symbol];
    if (mark === "hoisted" && isModule) marks.set(symbol, "inner");
    if (mark !== "own" || one === undefined) continue;
    const isPublic = one.visibility === "public" && !isDefault(one, links);
    if (!isModule || isPublic || exported.has(one.name)) marks.delete(symbol);
  }
}

/** Returns true for the definition in `export default function a() {}`, which no other file can import as `a`. */
function isDefault({ name, lineStart }: CodeSymbol, links: readonly ModuleLink[]): boolean {
  return links.some(
    ({ kind, module, line, names }) =>
      kind === "export" &&
      module === "" &&
      line === lineStart &&
      names.some((one) => one.as === "default" && one.name === name),
  );
}

const BEFORE_NAME: ReadonlySet<string> = new Set(
  "default declare abstract async function class interface type enum const let var namespace module".split(
    " ",
  ),
);

/** Returns true if the word `export` begins the definition whose name is at a token, so that it is exported by its name. */
function isExported(tokens: Tokens, token: number): boolean {
  let at = token - 1;
  while (BEFORE_NAME.has(tokens.name[at] ?? "") || isMark(tokens, at, STAR)) at--;
  return tokens.name[at] === "export" && tokens.name[at + 1] !== "default";
}

/** Returns true if `this` at a point inside these braces may be another object than one of the class around it. */
export function isOtherThis(blocks: readonly Block[]): boolean {
  for (let at = blocks.length - 1; at >= 0; at--) {
    const kind = blocks[at]?.kind;
    if (kind === "class") return false;
    if (kind === "unnamed class" || kind === "function") return true;
    if (kind === "method" && blocks[at - 1]?.kind !== "class") return true;
  }
  return false;
}
