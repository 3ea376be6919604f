import { DOT, EQUALS, isMark, isPair, OPEN_BRACE, SEMICOLON, type Reading } from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

/** Reads the `using` directives of C#; a global one counts as an export, because it concerns all files of a project. */
export function readCsharpLinks(reading: Reading): void {
  const { tokens, skipped } = reading;
  for (let token = 0; token < tokens.count; token++) {
    const word = tokens.kind[token] === NAME ? tokens.name[token] : undefined;
    if (word === "using") readUsing(reading, token);
    else if (word === "namespace")
      for (
        token++;
        token < tokens.count && !isMark(tokens, token, SEMICOLON) && !isMark(tokens, token, OPEN_BRACE);
        token++
      )
        skipped.add(token);
  }
}

function readUsing({ tokens, links, skipped, roles }: Reading, token: number): void {
  const kind = tokens.name[token - 1] === "global" ? "export" : "import";
  let at = token + 1;
  if (tokens.name[at] === "static" || tokens.name[at] === "unsafe") at++;
  const isAlias =
    tokens.kind[at] === NAME && isMark(tokens, at + 1, EQUALS) && !isPair(tokens, at + 1, EQUALS, EQUALS);
  const as = isAlias ? tokens.name[at] : undefined;
  const first = isAlias ? at + 2 : at;
  const { path, last, end } = readPath(tokens, first);
  if (path.length === 0 || (!isMark(tokens, end, SEMICOLON) && !isAlias)) return;
  if (kind === "export") skipped.add(token - 1);
  const line = tokens.line[token] ?? 1;
  const name = path.at(-1) ?? "";
  if (as !== undefined) {
    skipped.add(at);
    roles.set(last, "import");
    links.push({ kind, line, module: path.slice(0, -1).join("."), names: [{ name, as }], all: false });
  } else {
    skipped.add(last);
    links.push({ kind, line, module: path.join("."), names: [], all: true });
  }
  for (let part = first; part < last; part++) skipped.add(part);
}

/** Reads `global::A.B`; type arguments are left out. */
function readPath(
  tokens: Tokens,
  first: number,
): { readonly path: string[]; readonly last: number; readonly end: number } {
  const path: string[] = [];
  let at = tokens.name[first] === "global" && isMark(tokens, first + 1, 0x3a) ? first + 3 : first;
  let last = at;
  while (tokens.kind[at] === NAME) {
    path.push(tokens.name[at] ?? "");
    last = at++;
    if (!isMark(tokens, at, DOT)) break;
    at++;
  }
  return { path, last, end: at };
}
