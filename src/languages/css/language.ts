import type { Language, Scanned, ScannedSymbol } from "../language.ts";
import { lineCounter } from "../lines.ts";

/** CSS, SCSS and Less: rules by selector, at-rules, mixins and variables. */
export const css: Language = {
  id: "css",
  name: "CSS",
  extensions: [".css", ".scss", ".less", ".pcss", ".postcss"],
  holds:
    "rules by selector, at-rules, keyframes, mixins, functions, custom properties and variables; imports",
  outline: { by: "scanner", separator: " ", scan },
};

const TOKEN =
  /\/\*[\s\S]*?(?:\*\/|$)|(?<![:\w])\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|url\([^)\n]*\)?|#\{[^}\n]*\}?|[{};]/gu;

type Open = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface State {
  readonly symbols: Open[];
  /** Contains one entry for each open brace: the rule that it opened, or undefined if it opened none. */
  readonly open: (Open | undefined)[];
  readonly imports: { source: string; line: number }[];
}

/** The text since the last brace or semicolon, without comments, and the offset at which it starts. */
interface Pending {
  text: string;
  start: number;
}

function scan(text: string): Scanned {
  const state: State = { symbols: [], open: [], imports: [] };
  const lineOf = lineCounter(text);
  const pending: Pending = { text: "", start: 0 };
  let last = 0;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    take(text.slice(last, match.index), last, pending);
    last = match.index + token.length;
    if (token === "{") openRule(pending, lineOf(pending.start), state);
    else if (token === "}")
      closeRule(pending, { start: lineOf(pending.start), end: lineOf(match.index), state });
    else if (token === ";") statement(pending, lineOf(pending.start), state);
    else {
      if (!token.startsWith("/")) take(token, match.index, pending);
      continue;
    }
    pending.text = "";
  }
  const lastLine = lineOf(text.length);
  for (const rule of state.open) if (rule !== undefined) rule.lineEnd = lastLine;
  return { symbols: state.symbols, imports: state.imports, hasErrors: state.open.length > 0 };
}

function take(piece: string, start: number, pending: Pending): void {
  const isNew = pending.text.trim() === "";
  if (isNew) {
    const lead = piece.length - piece.trimStart().length;
    pending.start = start + lead;
    pending.text = piece.slice(lead);
  } else if (pending.text.length < 4000) pending.text += piece;
}

/** Matches control flow of SCSS and Less, such as `@if`. Rules inside it are listed, but the condition is not. */
const CONTROL = /^@(?:if|else|each|for|while)\b/u;

function openRule(pending: Pending, line: number, state: State): void {
  const selector = pending.text.replace(/\s+/gu, " ").trim();
  if (selector === "" || selector.length > 1000) {
    state.open.push(undefined);
    return;
  }
  if (CONTROL.test(selector)) {
    state.open.push(undefined);
    return;
  }
  const [, word, name] = /^@([\w-]+)\s+([\w-]+)/u.exec(selector) ?? [];
  const isCallable = word === "mixin" || word === "function";
  const rule: Open = {
    kind: isCallable ? "fn" : "rule",
    name: isCallable ? (name ?? selector) : word === "keyframes" ? (name ?? selector) : selector,
    signature: selector,
    lineStart: line,
    lineEnd: line,
    depth: depthIn(state),
  };
  state.symbols.push(rule);
  state.open.push(rule);
}

/** Returns the nesting depth of a new rule, which is the number of open rules plus one. */
function depthIn({ open }: State): number {
  return open.filter((rule) => rule !== undefined).length + 1;
}

function closeRule(
  pending: Pending,
  { start, end, state }: { start: number; end: number; state: State },
): void {
  statement(pending, start, state);
  const rule = state.open.pop();
  if (rule !== undefined) rule.lineEnd = end;
}

const VARIABLE =
  /^(--[\w-]+|\$[\w-]+|@(?!import|use|forward|charset|namespace|include|extend|return|layer|apply|tailwind)[\w-]+)\s*:/u;

function statement(pending: Pending, line: number, state: State): void {
  const body = pending.text.trim();
  const source = /^@(?:import|use|forward|require)\s+(?:\([^)]*\)\s*)?(?:url\()?["']?([^"')\s;]+)/u.exec(
    body,
  )?.[1];
  if (source !== undefined) state.imports.push({ source, line });
  const name = VARIABLE.exec(body)?.[1];
  if (name === undefined) return;
  const signature = body.replace(/\s+/gu, " ").slice(0, 120);
  state.symbols.push({
    kind: "var",
    name,
    signature,
    lineStart: line,
    lineEnd: line,
    depth: depthIn(state),
  });
}
