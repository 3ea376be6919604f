import type { SymbolKind, Visibility } from "../../model/symbol.ts";
import { docAbove } from "../doc-comment.ts";
import type { CommentSyntax, Scanned, ScannedSymbol } from "../language.ts";
import { lineCounter } from "../lines.ts";
import { oneLine } from "../signature.ts";
import { beginsDeclaration, headEnd, namesInList } from "./head.ts";

type Symbol = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

/** A block between braces, with the symbol whose body it is. */
interface Frame {
  readonly symbol: Symbol | undefined;
  readonly isFunction: boolean;
  /** Number of round and square brackets that are open around the block. */
  readonly brackets: number;
}

interface State {
  readonly text: string;
  readonly symbols: Symbol[];
  readonly imports: { source: string; line: number }[];
  readonly frames: Frame[];
  brackets: number;
  isBroken: boolean;
  /** True if the next word may begin a declaration. */
  isStart: boolean;
  /** Offset of the first modifier or attribute of the next declaration, or -1 if there is none. */
  lead: number;
  /** The declaration whose body begins at the next brace. */
  pending: Symbol | undefined;
  readonly lineOf: (index: number) => number;
}

const COMMENTS: CommentSyntax = { line: ["//"], block: ["/*", "*/"] };

/** Matches one token of Swift: a comment or string, which are skipped, a word, a bracket or a line ending. */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"""[\s\S]*?(?:"""|$)|#"[^"\n]*"#|"(?:[^"\\\n]|\\.)*"?|@[\w.]+|`\w+`|[\p{L}_#][\p{L}\p{N}_]*|[{}()[\];\n]|[^\s\w]/gu;

/** Scans Swift by its declaration keywords; braces show what is nested and what is local. */
export function scanSwift(text: string): Scanned {
  const state: State = {
    text,
    symbols: [],
    imports: [],
    frames: [],
    brackets: 0,
    isBroken: false,
    isStart: true,
    lead: -1,
    pending: undefined,
    lineOf: lineCounter(text),
  };
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const token = match[0];
    if (token.startsWith("//") || token.startsWith("/*")) continue;
    const next = read(token, match.index, state);
    TOKEN.lastIndex = Math.max(TOKEN.lastIndex, next);
  }
  const lastLine = state.lineOf(text.length);
  for (const { symbol } of state.frames) if (symbol !== undefined) symbol.lineEnd = lastLine;
  return {
    symbols: state.symbols,
    imports: state.imports,
    hasErrors: state.isBroken || state.frames.length > 0 || state.brackets > 0,
  };
}

/**
 * Reads one token. If it begins a declaration, the whole header is read and the offset after it is returned, otherwise
 * 0.
 */
function read(token: string, index: number, state: State): number {
  switch (token) {
    case "{":
      openFrame(state);
      return 0;
    case "}":
      closeFrame(index, state);
      return 0;
    case "(":
    case "[":
      state.brackets += 1;
      return 0;
    case ")":
    case "]":
      state.brackets = Math.max(state.frames.at(-1)?.brackets ?? 0, state.brackets - 1);
      return 0;
    case "\n":
    case ";":
      if (!isOutside(state) && beginsDeclaration(state.text, index + 1)) {
        state.brackets = state.frames.at(-1)?.brackets ?? 0;
        state.isBroken = true;
      }
      if (isOutside(state)) state.isStart = true;
      return 0;
    default:
      return isOutside(state) && state.isStart ? readWord(token, index, state) : 0;
  }
}

/** True if no round or square bracket has been opened inside the innermost braces. */
function isOutside(state: State): boolean {
  return state.brackets === (state.frames.at(-1)?.brackets ?? 0);
}

function openFrame(state: State): void {
  const { pending } = state;
  const isType = pending !== undefined && TYPE_KINDS.has(pending.kind);
  state.frames.push({ symbol: pending, isFunction: !isType, brackets: state.brackets });
  state.pending = undefined;
  state.isStart = true;
  state.lead = -1;
}

function closeFrame(index: number, state: State): void {
  const frame = state.frames.pop();
  state.brackets = frame?.brackets ?? 0;
  state.isStart = true;
  state.lead = -1;
  if (frame?.symbol !== undefined) frame.symbol.lineEnd = state.lineOf(index);
}

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set(["class", "struct", "enum", "interface", "impl"]);
const MODIFIER =
  /^(?:@.*|#.*|public|private|fileprivate|internal|open|package|static|final|override|mutating|nonmutating|lazy|weak|unowned|required|convenience|indirect|dynamic|optional|prefix|postfix|infix|nonisolated|isolated|distributed|async|borrowing|consuming|__consuming|safe|unsafe|set)$/u;

const KINDS: Readonly<Record<string, SymbolKind>> = {
  class: "class",
  struct: "struct",
  enum: "enum",
  actor: "class",
  protocol: "interface",
  extension: "impl",
  func: "fn",
  init: "constructor",
  deinit: "method",
  subscript: "method",
  var: "property",
  let: "property",
  case: "variant",
  typealias: "type",
  associatedtype: "type",
  macro: "macro",
};

const NAME = /[ \t]+(`?[\p{L}_][\p{L}\p{N}_]*`?(?:\.[\p{L}_][\p{L}\p{N}_]*)*|[^\s\w(){}`]+)/uy;
const IMPORT = /[ \t]+(?:(?:class|struct|enum|func|protocol|typealias|var|let)[ \t]+)?([\w.]+)/uy;

function readWord(token: string, index: number, state: State): number {
  if (MODIFIER.test(token)) {
    if (state.lead < 0) state.lead = index;
    return 0;
  }
  const { text } = state;
  state.isStart = false;
  const lead = state.lead < 0 ? index : state.lead;
  state.lead = -1;
  if (token === "import") {
    IMPORT.lastIndex = index + token.length;
    const source = IMPORT.exec(text)?.[1];
    if (source !== undefined) state.imports.push({ source, line: state.lineOf(index) });
    return 0;
  }
  if (!Object.hasOwn(KINDS, token)) return 0;
  // In `class func` and `class var`, the word `class` is a modifier, and the next word is the keyword of the
  // declaration.
  if (
    token === "class" &&
    /^[ \t]+(?:func|var|let|subscript|override|final|private|public)\b/u.test(
      text.slice(index + 5, index + 30),
    )
  ) {
    state.isStart = true;
    state.lead = lead;
    return 0;
  }
  return declare(token, { index, lead, state });
}

interface Found {
  readonly index: number;
  readonly lead: number;
  readonly state: State;
}

const UNNAMED: ReadonlySet<string> = new Set(["init", "deinit", "subscript"]);

function declare(keyword: string, { index, lead, state }: Found): number {
  const { text, frames } = state;
  const frame = frames.at(-1);
  const isLocal = frame?.isFunction === true;
  if (keyword === "case" && frame?.symbol?.kind !== "enum") return 0;
  if ((keyword === "var" || keyword === "let") && isLocal) return 0;
  const after = index + keyword.length;
  if (UNNAMED.has(keyword)) {
    if (frame === undefined || isLocal || !/^\s*[?!<({]/u.test(text.slice(after, after + 20))) return 0;
    return record([{ name: keyword, at: index }], { keyword, lead, from: after, state });
  }
  const isList = keyword === "case" || keyword === "var" || keyword === "let";
  const names = isList ? namesInList(text, after) : readName(text, after);
  const first = names[0];
  return first === undefined
    ? 0
    : record(names, { keyword, lead, from: first.at + first.name.length, state });
}

interface Named {
  readonly name: string;
  readonly at: number;
}

function readName(text: string, after: number): Named[] {
  NAME.lastIndex = after;
  const match = NAME.exec(text);
  const [whole, name] = match ?? [];
  if (match === null || whole === undefined || name === undefined) return [];
  const isOperator = !/^[\p{L}_`]/u.test(name);
  // Backticks around a name are not part of it.
  const clean = isOperator ? name : name.replaceAll("`", "");
  return [{ name: clean, at: match.index + whole.length - name.length }];
}

interface Declaration {
  readonly keyword: string;
  readonly lead: number;
  /** Offset after the first declared name. */
  readonly from: number;
  readonly state: State;
}

function record(names: readonly Named[], { keyword, lead, from, state }: Declaration): number {
  const { text, frames, symbols } = state;
  const head = headEnd(text, from);
  state.isBroken ||= head.isBroken === true;
  const start = withoutAttributes(text, lead);
  const isMember = frames.some(({ symbol }) => symbol !== undefined);
  const kind = kindOf(keyword, isMember && frames.at(-1)?.isFunction !== true);
  const doc = docAbove(text, lead, COMMENTS);
  const visibility = visibilityOf(text.slice(start, names[0]?.at ?? start), frames.at(-1)?.symbol?.kind);
  const first = symbols.length;
  for (const { name, at } of names)
    symbols.push({
      kind,
      name,
      signature: oneLine(text.slice(start, head.end), COMMENTS),
      lineStart: state.lineOf(at),
      lineEnd: state.lineOf(at),
      depth: frames.filter(({ symbol }) => symbol !== undefined).length + 1,
      visibility,
      ...(doc === undefined ? {} : { doc }),
    });
  const last = state.lineOf(Math.max(head.end - 1, names.at(-1)?.at ?? 0));
  for (const symbol of symbols.slice(first)) symbol.lineEnd = last;
  state.pending = head.opensBody ? symbols[first] : undefined;
  return head.end;
}

function kindOf(keyword: string, isMember: boolean): SymbolKind {
  if (keyword === "func") return isMember ? "method" : "fn";
  if (keyword === "var" || keyword === "let")
    return isMember ? "property" : keyword === "let" ? "const" : "var";
  return KINDS[keyword] ?? "var";
}

function withoutAttributes(text: string, lead: number): number {
  let at = lead;
  for (;;) {
    const rest = /^(?:@[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?|#\w+[^\n]*\n)\s*/u.exec(
      text.slice(at, at + 600),
    )?.[0];
    if (rest === undefined) return at;
    at += rest.length;
  }
}

function visibilityOf(head: string, around: SymbolKind | undefined): Visibility {
  const word = /\b(public|open|fileprivate|private)\b(?!\s*\(set\))/u.exec(head)?.[1];
  if (word === "public" || word === "open") return "public";
  if (word !== undefined) return "private";
  return around === "interface" ? "public" : "internal";
}
