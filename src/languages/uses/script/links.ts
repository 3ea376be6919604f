import type { ModuleBinding } from "../../../model/use.ts";
import {
  after,
  CLOSE_BRACE,
  COMMA,
  DOT,
  EQUALS,
  isMark,
  isPair,
  OPEN_BRACE,
  OPEN_PAREN,
  QUESTION,
  SEMICOLON,
  STAR,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";
import { exportAs, readCommonExport, readPassedOn } from "./common-exports.ts";
import { isCalled, conditionalTarget, isLoad, loadedParameter } from "./loads.ts";
import { addLocalLink, wholePath } from "./local-links.ts";
import { namesInPattern } from "./pattern-names.ts";

/**
 * Finds the import and export statements of JavaScript and TypeScript, and calls of `require` and `import()`. Returns true
 * if there are statements, which make the text a module.
 */
export function readScriptLinks(reading: Reading): boolean {
  const { tokens } = reading;
  let isModule = false;
  for (let token = 0; token < tokens.count; token++) {
    if (tokens.kind[token] !== NAME || isMark(tokens, token - 1, DOT)) continue;
    const word = tokens.name[token];
    if (word === "import") {
      readImport(reading, token);
      if (!isMark(tokens, token + 1, OPEN_PAREN)) isModule = true;
    } else if (word === "export") {
      readExport(reading, token);
      isModule = true;
    } else if (word === "require") readRequire(reading, token);
    else if (word === "module" || word === "exports") readCommonExport(reading, token);
  }
  return isModule;
}

function readImport(reading: Reading, token: number): void {
  const { tokens, links } = reading;
  if (isMark(tokens, token + 1, OPEN_PAREN)) {
    readRequire(reading, token);
    return;
  }
  const line = tokens.line[token] ?? 1;
  let at = token + 1;
  if (tokens.name[at] === "type" && !isMark(tokens, at + 1, COMMA) && tokens.name[at + 1] !== "from")
    reading.skipped.add(at++);
  if (tokens.kind[at] === STRING) {
    links.push({ kind: "import", line, module: stringAt(tokens, at), names: [], all: false });
    return;
  }
  const names: ModuleBinding[] = [];
  if (tokens.kind[at] === NAME) {
    if (isMark(tokens, at + 1, EQUALS)) {
      readAlias(reading, at);
      return;
    }
    names.push({ name: "default", as: named(reading, at) });
    at += isMark(tokens, at + 1, COMMA) ? 2 : 1;
  }
  if (isMark(tokens, at, STAR) && tokens.name[at + 1] === "as") {
    names.push({ name: "*", as: named(reading, at + 2) });
    at += 3;
  } else if (isMark(tokens, at, OPEN_BRACE)) {
    names.push(...bindingsIn(reading, at, "import"));
    at = after(tokens, at);
  }
  if (tokens.name[at] !== "from" || tokens.kind[at + 1] !== STRING) return;
  reading.skipped.add(at);
  links.push({ kind: "import", line, module: stringAt(tokens, at + 1), names, all: false });
}

/** Reads `import a = require("b")`, and `import a = b.c`, which names a member of a namespace. */
function readAlias(reading: Reading, token: number): void {
  const { tokens } = reading;
  const as = named(reading, token);
  const value = token + 2;
  readRequire(reading, value);
  const last = wholePath(tokens, value);
  if (last === undefined || last === value) return;
  addLocalLink(reading, value, last - 2, [{ name: tokens.name[last] ?? "", as }]);
}

/** Returns a name that a statement binds, which is then no use. */
function named({ tokens, skipped }: Reading, token: number): string {
  skipped.add(token);
  return tokens.name[token] ?? "";
}

/** Reads the names between the braces of an import or export; a name that is imported or exported is a use. */
function bindingsIn(reading: Reading, open: number, role: "import" | "export"): ModuleBinding[] {
  const { tokens, roles, skipped } = reading;
  const close = tokens.match[open] ?? -1;
  const found: ModuleBinding[] = [];
  for (let at = open + 1; at < close; at++) {
    if (isMark(tokens, at, COMMA)) continue;
    const isTyped =
      tokens.name[at] === "type" &&
      tokens.kind[at + 1] === NAME &&
      (tokens.name[at + 1] !== "as" || tokens.name[at + 2] === "as");
    if (isTyped) skipped.add(at++);
    const name = tokens.kind[at] === STRING ? stringAt(tokens, at) : (tokens.name[at] ?? "");
    roles.set(at, role);
    // What another module exports by default has no other name here.
    if (name === "default" && role === "export") reading.kept.add(at);
    if (tokens.name[at + 1] === "as") {
      skipped.add(at + 2);
      found.push({
        name,
        as: tokens.kind[at + 2] === STRING ? stringAt(tokens, at + 2) : (tokens.name[at + 2] ?? ""),
      });
      at += 2;
    } else found.push({ name, as: name });
    while (at + 1 < close && !isMark(tokens, at + 1, COMMA)) at++;
  }
  return found.filter(({ name }) => name !== "");
}

function readExport(reading: Reading, token: number): void {
  const { tokens, links } = reading;
  const line = tokens.line[token] ?? 1;
  let at = token + 1;
  if (tokens.name[at] === "type" && (isMark(tokens, at + 1, OPEN_BRACE) || isMark(tokens, at + 1, STAR)))
    reading.skipped.add(at++);
  if (isMark(tokens, at, STAR)) {
    const isNamed = tokens.name[at + 1] === "as";
    const from = isNamed ? at + 3 : at + 1;
    if (tokens.name[from] !== "from" || tokens.kind[from + 1] !== STRING) return;
    reading.skipped.add(from);
    const names = isNamed ? [{ name: "*", as: named(reading, at + 2) }] : [];
    links.push({ kind: "export", line, module: stringAt(tokens, from + 1), names, all: !isNamed });
  } else if (isMark(tokens, at, OPEN_BRACE)) {
    const names = bindingsIn(reading, at, "export");
    const from = after(tokens, at);
    const hasSource = tokens.name[from] === "from" && tokens.kind[from + 1] === STRING;
    if (hasSource) reading.skipped.add(from);
    links.push({
      kind: "export",
      line,
      module: hasSource ? stringAt(tokens, from + 1) : "",
      names,
      all: false,
    });
  } else if (tokens.name[at] === "default") readDefault(reading, at + 1);
  else if (isMark(tokens, at, EQUALS) && tokens.kind[at + 1] === NAME) {
    exportAs(reading, at + 1, "default");
    exportAs(reading, at + 1, "=");
  }
}

/** Reads the name of a default export: of a definition, or of a name that was defined before. Other values have no name. */
function readDefault(reading: Reading, first: number): void {
  const { tokens, links } = reading;
  let at = first;
  while (["async", "abstract", "function", "class", "interface"].includes(tokens.name[at] ?? "")) at++;
  if (isMark(tokens, at, STAR)) at++;
  const isDefined =
    at > first &&
    tokens.kind[at] === NAME &&
    tokens.name[at] !== "extends" &&
    tokens.name[at - 1] !== "async";
  if (isDefined || isNameAsType(tokens, first)) {
    exportAs(reading, at, "default");
    return;
  }
  const name = at === first && isOneOfSeveral(tokens, first) ? "?" : "";
  const line = tokens.line[first] ?? 1;
  links.push({ kind: "export", line, module: "", names: [{ name, as: "default" }], all: false });
}

/** Returns true if a value is a name alone, or one of which the statement says the type: `a as B`. */
function isNameAsType(tokens: Tokens, value: number): boolean {
  if (wholePath(tokens, value) === value) return true;
  const next = tokens.name[value + 1];
  return tokens.kind[value] === NAME && (next === "as" || next === "satisfies");
}

/** Number of tokens of a value that are read to find out whether it is one of several. */
const MAX_VALUE = 60;

/** Returns true if a condition chooses the value that begins at a token: `a ? b : c`, `a || b`. */
function isOneOfSeveral(tokens: Tokens, first: number): boolean {
  const end = Math.min(tokens.count, first + MAX_VALUE);
  for (let at = first; at < end && !isMark(tokens, at, SEMICOLON); at = after(tokens, at)) {
    const isChoice = isMark(tokens, at, QUESTION) && !isMark(tokens, at + 1, DOT);
    if (isChoice || isPair(tokens, at, 0x7c, 0x7c) || isPair(tokens, at, 0x26, 0x26)) return true;
    if (at > first && tokens.name[at] === "export") return false;
  }
  return false;
}

/** Reads a call of `require` or `import` and the names that its result is bound to. */
function readRequire(reading: Reading, token: number): void {
  const { tokens, links } = reading;
  if (!isLoad(tokens, token)) return;
  const module = stringAt(tokens, token + 2);
  const line = tokens.line[token] ?? 1;
  if (!readPassedOn(reading, token))
    links.push({ kind: "import", line, module, names: loadedNames(reading, token), all: false });
  reading.skipped.add(token);
}

/** Returns the names that get the module which a token loads, or members of it. */
function loadedNames(reading: Reading, token: number): ModuleBinding[] {
  const { tokens } = reading;
  const parameter = loadedParameter(tokens, token);
  if (parameter !== undefined) return boundTo(reading, after(tokens, parameter) - 1, undefined);
  const member = isMark(tokens, token + 4, DOT) ? (tokens.name[token + 5] ?? "") : undefined;
  if (member === "then") return [];
  const used = member === undefined ? [] : [{ name: member, as: "" }];
  if (isCalled(tokens, token)) return used;
  const before = tokens.name[token - 1] === "await" ? token - 2 : token - 1;
  if (isMark(tokens, before, EQUALS)) return boundTo(reading, before - 1, member);
  const conditional = conditionalTarget(tokens, token);
  const names = conditional === undefined ? [] : boundTo(reading, conditional, member);
  if (names.length > 0) return [...names, ...names.map(({ as }) => ({ name: "?", as }))];
  return used;
}

function boundTo({ tokens }: Reading, last: number, member: string | undefined): ModuleBinding[] {
  if (tokens.kind[last] === NAME) return [{ name: member ?? "=", as: tokens.name[last] ?? "" }];
  if (!isMark(tokens, last, CLOSE_BRACE) || member !== undefined) return [];
  return namesInPattern(tokens, last);
}
