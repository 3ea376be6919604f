import {
  after,
  AT,
  CLOSE_PAREN,
  COMMA,
  DOT,
  EQUALS,
  isMark,
  OPEN_PAREN,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";

/** A function that pytest calls: a test or a fixture. It gets the fixtures that its parameters name. */
interface Requesting {
  /** The decorator that makes it a fixture. */
  readonly fixture: number | undefined;
  /** The parameters that get the values of `@parametrize("a, b", …)` instead. */
  readonly given: ReadonlySet<string>;
}

/** Returns what pytest makes of the function whose name is a token; undefined for any other function. */
export function requestingFunction(tokens: Tokens, first: number, name: number): Requesting | undefined {
  let fixture: number | undefined;
  const given = new Set<string>();
  for (const decorator of decoratorsBefore(tokens, first)) {
    if (tokens.name[decorator] === "fixture") fixture = decorator;
    if (tokens.name[decorator] === "parametrize")
      for (const one of parametersOf(tokens, decorator + 1)) given.add(one);
  }
  const isTest = tokens.name[name]?.startsWith("test") === true;
  return fixture !== undefined || isTest ? { fixture, given } : undefined;
}

/** Returns the last name of each decorator before a statement. */
function decoratorsBefore(tokens: Tokens, first: number): number[] {
  const found: number[] = [];
  for (let at = first - 1; at > 0; at -= 2) {
    if (isMark(tokens, at, CLOSE_PAREN)) at = (tokens.match[at] ?? 0) - 1;
    const name = at;
    while (at > 0 && tokens.kind[at] === NAME && isMark(tokens, at - 1, DOT)) at -= 2;
    if (tokens.kind[at] !== NAME || !isMark(tokens, at - 1, AT)) break;
    found.push(name);
  }
  return found;
}

/** Returns the names in the first argument of `parametrize`, unless they are those of fixtures (`indirect`). */
function parametersOf(tokens: Tokens, open: number): string[] {
  const end = after(tokens, open);
  let comma = open + 1;
  while (comma < end && !isMark(tokens, comma, COMMA)) comma = after(tokens, comma);
  const names: string[] = [];
  for (let token = open + 1; token < end; token++) {
    if (tokens.name[token] === "indirect") return [];
    if (token < comma && tokens.kind[token] === STRING)
      names.push(...stringAt(tokens, token).split(/[\s,]+/u));
  }
  return names;
}

/** Marks a parameter as the use of a fixture with its name. */
export function markRequest({ keys, roles }: Reading, token: number): void {
  keys.add(token);
  roles.set(token, "call");
}

/** Notes the other name of a fixture: `@fixture(name="db")`. */
export function noteFixtureName({ tokens, links }: Reading, decorator: number, name: number): void {
  const open = decorator + 1;
  if (!isMark(tokens, open, OPEN_PAREN)) return;
  const end = after(tokens, open);
  for (let token = open + 1; token < end; token = after(tokens, token)) {
    const isStart = token === open + 1 || isMark(tokens, token - 1, COMMA);
    if (!isStart || tokens.name[token] !== "name" || !isMark(tokens, token + 1, EQUALS)) continue;
    if (tokens.kind[token + 2] !== STRING) return;
    const names = [{ name: tokens.name[name] ?? "", as: stringAt(tokens, token + 2) }];
    links.push({ kind: "export", line: tokens.line[name] ?? 1, module: "", names, all: false });
  }
}

/** Functions whose arguments are names of fixtures. */
const BY_NAME: ReadonlySet<string> = new Set(["usefixtures", "getfixturevalue"]);

/** Marks the strings behind a word that name fixtures: `usefixtures("db")`. */
export function markFixtureNames({ tokens, roles }: Reading, word: number): void {
  if (!BY_NAME.has(tokens.name[word] ?? "") || !isMark(tokens, word + 1, OPEN_PAREN)) return;
  const end = after(tokens, word + 1);
  for (let token = word + 2; token < end; token = after(tokens, token))
    if (tokens.kind[token] === STRING) roles.set(token, "call");
}
