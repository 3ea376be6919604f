import { DOT, isMark, SEMICOLON, STAR, type Reading } from "../reading.ts";
import { NAME } from "../tokens.ts";

/** Reads the imports of Java and Kotlin: a name, a static member, everything of a package, and an alias in Kotlin. */
export function readJavaLinks(reading: Reading): void {
  const { tokens, skipped } = reading;
  for (let token = 0; token < tokens.count; token++) {
    const word = tokens.name[token];
    if (word !== "import" && word !== "package") {
      // Imports stand before all types, so the rest of the file has none.
      if (word === "class" || word === "interface" || word === "enum" || word === "fun") return;
      continue;
    }
    if (isMark(tokens, token - 1, DOT)) continue;
    if (word === "import") token = readImport(reading, token);
    else
      for (token++; tokens.kind[token] === NAME; token += 2) {
        skipped.add(token);
        if (!isMark(tokens, token + 1, DOT)) break;
      }
  }
}

function readImport({ tokens, links, skipped, roles }: Reading, token: number): number {
  const line = tokens.line[token] ?? 1;
  let at = tokens.name[token + 1] === "static" ? token + 2 : token + 1;
  const path: string[] = [];
  while (tokens.kind[at] === NAME) {
    path.push(tokens.name[at] ?? "");
    if (!isMark(tokens, at + 1, DOT)) break;
    skipped.add(at);
    at += 2;
  }
  if (isMark(tokens, at, STAR)) {
    links.push({ kind: "import", line, module: path.join("."), names: [], all: true });
    return at;
  }
  const name = path.pop();
  if (name === undefined) return token;
  roles.set(at, "import");
  const isRenamed = tokens.name[at + 1] === "as" && tokens.line[at + 1] === tokens.line[at];
  const as = isRenamed ? (tokens.name[at + 2] ?? name) : name;
  if (isRenamed) skipped.add(at + 2);
  links.push({ kind: "import", line, module: path.join("."), names: [{ name, as }], all: false });
  const end = isRenamed ? at + 2 : at;
  return isMark(tokens, end + 1, SEMICOLON) ? end + 1 : end;
}
