import type { SymbolKind } from "../../model/symbol.ts";
import type { Language, Scanned, ScannedSymbol } from "../language.ts";
import { lineCounter } from "../lines.ts";

/** SQL of all dialects: the objects that CREATE makes, and the columns of tables. */
export const sql: Language = {
  id: "sql",
  name: "SQL",
  extensions: [".sql", ".ddl", ".pgsql", ".psql", ".mysql", ".plsql", ".pls", ".pks", ".pkb", ".tsql"],
  holds:
    "tables and their columns, views, functions, procedures, triggers, indexes, types, schemas, sequences",
  outline: { by: "scanner", separator: ".", scan },
};

const KINDS: Readonly<Record<string, SymbolKind>> = {
  table: "table",
  view: "table",
  function: "fn",
  procedure: "fn",
  trigger: "fn",
  aggregate: "fn",
  index: "key",
  type: "type",
  domain: "type",
  schema: "namespace",
  database: "namespace",
  package: "module",
  extension: "module",
  sequence: "var",
  role: "var",
  user: "var",
  policy: "rule",
  rule: "rule",
  event: "fn",
};

/**
 * Matches one token of SQL: a comment, string or dollar-quoted body, which are skipped as a whole, a bracket, a
 * separator or a word.
 */
const TOKEN =
  /--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:[^'\\]|''|\\.)*'?|\$(\w*)\$[\s\S]*?(?:\$\1\$|$)|"[^"]*"?|`[^`]*`?|\[[^\]\n]{0,200}\]|[();,]|[\w$#@.]+|[^\s\w]/gu;

const NOT_COLUMNS =
  /^(?:constraint|primary|foreign|unique|check|key|index|exclude|like|fulltext|spatial|period|partition|references)$/iu;

type Open = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface State {
  readonly symbols: Open[];
  /** The first tokens of the current statement, from which the created object is recognised. */
  readonly head: string[];
  current: Open | undefined;
  depth: number;
  /**
   * True if the next word is the name of a column, because it follows a bracket or comma in the definition of a table.
   */
  awaitsColumn: boolean;
}

function scan(text: string): Scanned {
  const state: State = { symbols: [], head: [], current: undefined, depth: 0, awaitsColumn: false };
  const lineOf = lineCounter(text);
  let line = 1;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    line = lineOf(match.index);
    if (token.startsWith("--") || token.startsWith("/*")) continue;
    if (token === ";" && state.depth <= 0) endStatement(line, state);
    else readWord(token, { line, start: match.index, text, state });
  }
  endStatement(line, state);
  return { symbols: state.symbols };
}

function endStatement(line: number, state: State): void {
  if (state.current !== undefined) state.current.lineEnd = line;
  state.current = undefined;
  state.head.length = 0;
  state.depth = 0;
  state.awaitsColumn = false;
}

interface Word {
  readonly line: number;
  readonly start: number;
  readonly text: string;
  readonly state: State;
}

function readWord(token: string, { line, start, text, state }: Word): void {
  // CREATE at the start of a line begins a statement, even if a bracket is still open or the previous statement has no
  // semicolon.
  if (/^create$/iu.test(token) && (state.depth <= 0 || start === 0 || text[start - 1] === "\n"))
    endStatement(line - 1 || 1, state);
  if (token === "(" || token === ")") {
    state.depth += token === "(" ? 1 : -1;
    state.awaitsColumn = token === "(" && state.depth === 1 && isTable(state);
    return;
  }
  if (token === ",") {
    state.awaitsColumn = state.depth === 1 && isTable(state);
    return;
  }
  if (state.awaitsColumn) {
    state.awaitsColumn = false;
    addColumn(token, { line, start, text, state });
    return;
  }
  if (state.current !== undefined || state.head.length > 12) return;
  state.head.push(token);
  const kind = createdKind(state.head);
  if (kind !== undefined) addCreated(token, kind, { line, start, text, state });
}

function isTable({ current }: State): boolean {
  return current?.kind === "table" && /\btable\b/iu.test(current.signature);
}

const SKIPPED = /^(?:if|not|exists|only|concurrently|unique|\.)$/iu;

/** Returns the kind of object that a CREATE statement creates, as soon as the last of the given tokens is its name. */
function createdKind(head: readonly string[]): SymbolKind | undefined {
  if (!/^create$/iu.test(head[0] ?? "")) return undefined;
  const at = head.findIndex((token, index) => index > 0 && Object.hasOwn(KINDS, token.toLowerCase()));
  const last = head.at(-1) ?? "";
  if (at < 0 || head.length - 1 <= at || SKIPPED.test(last) || /^body$/iu.test(last)) return undefined;
  // CREATE INDEX ON t creates an index without a name.
  return /^on$/iu.test(last) ? undefined : KINDS[(head[at] ?? "").toLowerCase()];
}

function addCreated(token: string, kind: SymbolKind, { line, start, text, state }: Word): void {
  const qualified = fullName(token, start, text);
  const opening = text.slice(start, start + 2000);
  const end = /\n|;|\s+AS\b|\(\s*\n/iu.exec(opening)?.index ?? opening.length;
  const created: Open = {
    kind,
    name: qualified.split(".").at(-1) ?? qualified,
    qualifiedName: qualified,
    signature: `${state.head.slice(0, -1).join(" ")} ${opening.slice(0, end)}`
      .replace(/\s*\($/u, "")
      .replace(/\s+/gu, " ")
      .trim(),
    lineStart: line,
    lineEnd: line,
    depth: 1,
  };
  state.current = created;
  state.symbols.push(created);
}

/**
 * Joins the parts of a qualified name such as `"a"."b"` or `[dbo].[t]`. Single quotes are accepted too, as SQLite does
 * for all names and MySQL for users.
 */
function fullName(first: string, start: number, text: string): string {
  const whole =
    /^(?:"[^"]+"|'[^']+'|`[^`]+`|\[[^\]]+\]|[\w$#@]+)(?:\s*\.\s*(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$#@]+))*/u.exec(
      text.slice(start, start + 300),
    )?.[0];
  return (whole ?? first).replace(/["'`[\]\s]/gu, "");
}

function addColumn(token: string, { line, start, text, state }: Word): void {
  if (NOT_COLUMNS.test(token) || !/^["'`[\w]/u.test(token)) return;
  const name = token.replace(/["'`[\]]/gu, "");
  const signature = columnText(text.slice(start, start + 300));
  state.symbols.push({ kind: "field", name, signature, lineStart: line, lineEnd: line, depth: 2 });
}

/** Returns the definition of a column, up to the comma or bracket that ends it or to the end of its line. */
function columnText(rest: string): string {
  let depth = 0;
  for (const match of rest.matchAll(/'[^'\n]*'|--|[(),\n]/gu)) {
    const [token] = match;
    const isEnd = token === "--" || token === "\n" || (depth === 0 && (token === "," || token === ")"));
    if (isEnd) return rest.slice(0, match.index).replace(/\s+/gu, " ").trim();
    depth += token === "(" ? 1 : token === ")" ? -1 : 0;
  }
  return rest.replace(/\s+/gu, " ").trim();
}
