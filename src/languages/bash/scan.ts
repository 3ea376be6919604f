import { docAbove } from "../doc-comment.ts";
import type { Scanned, ScannedSymbol } from "../language.ts";
import { lineCounter } from "../lines.ts";

/** Matches one token of a shell script: an escape, string, expansion, here-document, comment, word or operator. */
const TOKEN =
  /\\[\s\S]|\$'(?:[^'\\]|\\[\s\S])*'?|'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?|\$\{(?:[^{}\n]|\{(?:[^{}\n]|\{[^{}\n]*\})*\})*\}?|\$\(\(|<<<|<<-?[ \t]*(?:(["'])([^"'\n]+)\1|\\?([\w.-]+))|#[^\n]*|\n|[{};()&|]|[^\s{};()&|'"\\$<#]+|[^\s]/gu;

type Open = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface State {
  readonly text: string;
  readonly symbols: Open[];
  readonly imports: { source: string; line: number }[];
  /**
   * Contains one entry for each open brace: the function whose body the brace begins, or undefined for other braces.
   */
  readonly braces: (Open | undefined)[];
  /** Number of open braces that are function bodies. */
  functionDepth: number;
  /** The function whose name was read but whose body has not begun yet. */
  header: Open | undefined;
  /** Offset at which to continue scanning after the header of a function. */
  resume: number;
  /** True if the next word begins a command. */
  isStart: boolean;
  /** True inside a list such as `a=( … )`, where words are values and not commands. */
  inList: boolean;
  /** Delimiters of the here-documents that began on this line. */
  readonly hereEnds: string[];
  /**
   * Delimiters of here-documents that do not occur again in the text, so that they need not be searched for a second
   * time.
   */
  readonly lostEnds: Set<string>;
}

/** Scans a shell script of any dialect for definitions. Only words that begin a command are examined. */
export function scanShell(text: string): Scanned {
  const state: State = {
    text,
    symbols: [],
    imports: [],
    braces: [],
    functionDepth: 0,
    header: undefined,
    resume: 0,
    isStart: true,
    inList: false,
    hereEnds: [],
    lostEnds: new Set(),
  };
  const lineOf = lineCounter(text);
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const token = match[0];
    const here = match[2] ?? match[3];
    const lost = isQuoted(token) ? HEADER_INSIDE.exec(token) : null;
    if (lost !== null) {
      // A misread quotation mark made a whole function look like a string, so scanning continues at the header of that
      // function.
      TOKEN.lastIndex = match.index + lost.index;
      continue;
    }
    if (here !== undefined) state.hereEnds.push(here);
    else if (token === "\n") TOKEN.lastIndex = newLine(match.index + 1, state);
    else if (token.startsWith("#") && isCommentStart(text, match.index)) continue;
    else {
      read(token, { index: match.index, line: lineOf(match.index), state });
      TOKEN.lastIndex = Math.max(TOKEN.lastIndex, state.resume);
    }
  }
  const lastLine = lineOf(text.length);
  for (const open of [...state.braces, state.header]) if (open !== undefined) open.lineEnd = lastLine;
  return { symbols: state.symbols, imports: state.imports };
}

const HEADER_INSIDE = /\n(?=(?:function[ \t]+[\w:.-]+|[\w:.-]+[ \t]*\([ \t]*\))[ \t]*\{?[ \t]*(?:\r?\n|$))/u;

function isQuoted(token: string): boolean {
  return token.length > 2 && /^\$?["']/u.test(token);
}

function isCommentStart(text: string, index: number): boolean {
  return index === 0 || /[\s;&|()]/u.test(text[index - 1] ?? "");
}

/** Begins a new line and returns the offset after the here-documents whose contents start there. */
function newLine(index: number, state: State): number {
  state.isStart = true;
  let at = index;
  for (const word of state.hereEnds.splice(0)) {
    if (state.lostEnds.has(word)) continue;
    const end = new RegExp(`^[ \\t]*${word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&")}[ \\t\\r]*$`, "mu");
    const found = end.exec(state.text.slice(at));
    if (found === null) state.lostEnds.add(word);
    else at += found.index + found[0].length;
  }
  return at;
}

interface Place {
  readonly index: number;
  readonly line: number;
  readonly state: State;
}

function read(token: string, place: Place): void {
  const { state, line, index } = place;
  if (token === "{" || token === "}") readBrace(token, place);
  else if (token === "(") {
    if (state.text[index - 1] === "=") state.inList = true;
    if (state.header !== undefined) endHeaderAsBlock(index, state);
    state.isStart = true;
  } else if (token === ")") {
    state.inList = false;
    state.isStart = true;
  } else if (/^[;&|]$/u.test(token)) state.isStart = true;
  else if (state.isStart && !state.inList) readWord(token, { state, line, index });
}

/**
 * Handles a brace that is a word of its own and therefore opens or closes a block; other braces are part of expansions.
 */
function readBrace(token: string, { index, line, state }: Place): void {
  const { text } = state;
  const before = text[index - 1] ?? "\n";
  const after = text[index + 1] ?? "\n";
  if (token === "{" && /[\s;)(&|]/u.test(before) && /\s/u.test(after)) {
    state.braces.push(state.header);
    if (state.header !== undefined) state.functionDepth += 1;
    state.header = undefined;
    state.isStart = true;
  } else if (token === "}" && state.isStart && /[\s;)&|]/u.test(after)) {
    const open = state.braces.pop();
    if (open === undefined) return;
    open.lineEnd = line;
    state.functionDepth -= 1;
  }
}

/**
 * Ends a function body in round brackets at the next line that begins with `)`. Brackets are not counted, because those
 * in `case` patterns come without a partner.
 */
function endHeaderAsBlock(index: number, state: State): void {
  const { header, text } = state;
  state.header = undefined;
  const end = text.indexOf("\n)", index);
  if (header !== undefined && end >= 0)
    header.lineEnd = header.lineStart + text.slice(index, end + 1).split("\n").length - 1;
}

const HEADER_END = /[ \t]*\([ \t]*\)/uy;
const NAMED = /[ \t]+([^\s(){};&|'"$`]+)/uy;
const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/u;
const DECLARED = /[ \t]+(?:-[-\w]+[ \t]+)*([A-Za-z_]\w*)=/uy;
const ALIAS = /[ \t]+(?:-\w+[ \t]+)*(?:--[ \t]+)?["']?([^\s="']+)["']?=/uy;
const SOURCED = /[ \t]+["']?([^\s;"']+)/uy;
/** Matches words after which another command begins, such as `then` or `do`. */
const OPENERS = /^(?:then|do|else|elif|if|while|until|!|time|\{)$/u;

function readWord(token: string, place: Place): void {
  const { state, index, line } = place;
  const end = index + token.length;
  state.isStart = OPENERS.test(token);
  if (token === "function") {
    const name = matchAfter(NAMED, end, state.text);
    if (name !== undefined) addFunction(name, NAMED.lastIndex, place);
    return;
  }
  HEADER_END.lastIndex = end;
  if (HEADER_END.test(state.text) && !token.includes("=")) {
    addFunction(token, end, place);
    return;
  }
  if (token === "alias") add("macro", matchAfter(ALIAS, end, state.text), place);
  if (token === "." || token === "source") {
    const source = matchAfter(SOURCED, end, state.text);
    if (source !== undefined) state.imports.push({ source, line });
  }
  if (state.braces.length > 0) return;
  if (/^(?:export|readonly|declare|typeset)$/u.test(token))
    add("var", matchAfter(DECLARED, end, state.text), place);
  else add("var", ASSIGNMENT.exec(token)?.[1], place);
}

function matchAfter(pattern: RegExp, index: number, text: string): string | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text)?.[1];
}

/**
 * Ends the functions that are still open although a line with nothing but `}` and then, without indentation, the header
 * of another function were read: a misread quotation mark hid the end of the body. Without this, all functions up to
 * the end of the file would seem to be inside that one.
 */
function endMissedBodies({ state, index, line }: Place): void {
  const { text, braces } = state;
  const first = braces.find((open) => open !== undefined);
  if (first === undefined || (index > 0 && text[index - 1] !== "\n")) return;
  const close = lastClosingLine(text, index);
  if (close === undefined) return;
  const lineEnd = line - text.slice(close + 1, index).split("\n").length + 1;
  if (lineEnd <= first.lineStart) return;
  for (const open of braces) if (open !== undefined) open.lineEnd = Math.max(open.lineStart, lineEnd);
  braces.length = 0;
  state.functionDepth = 0;
}

/** Returns the offset of the line break before the last line that is only `}`, or undefined if there is none. */
function lastClosingLine(text: string, before: number): number | undefined {
  for (let at = text.lastIndexOf("\n}", before); at >= 0; at = text.lastIndexOf("\n}", at - 1))
    if (/[\s;]/u.test(text[at + 2] ?? "\n")) return at;
  return undefined;
}

function addFunction(name: string, end: number, place: Place): void {
  const { state } = place;
  endMissedBodies(place);
  HEADER_END.lastIndex = end;
  state.resume = HEADER_END.test(state.text) ? HEADER_END.lastIndex : end;
  const found = add("fn", name, place);
  if (found === undefined) return;
  found.signature = `${name}()`;
  state.header = found;
  state.isStart = false;
}

function add(
  kind: "fn" | "var" | "macro",
  name: string | undefined,
  { index, line, state }: Place,
): Open | undefined {
  if (name === undefined) return undefined;
  const { text } = state;
  const lineStart = text.lastIndexOf("\n", index - 1) + 1;
  const indent = text.slice(lineStart, index).trim() === "" ? index : -1;
  const doc = indent < 0 ? undefined : docAbove(text, index, { line: ["#"] });
  const found: Open = {
    kind,
    name,
    signature: (/^[^\n]{0,100}/u.exec(text.slice(index, index + 101))?.[0] ?? name).trim(),
    lineStart: line,
    lineEnd: line,
    depth: state.functionDepth + 1,
    ...(doc === undefined ? {} : { doc }),
  };
  state.symbols.push(found);
  return found;
}
