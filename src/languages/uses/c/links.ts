import { GREATER, isMark, LESS, stringAt, type Reading } from "../reading.ts";
import { NAME, STRING } from "../tokens.ts";

const HASH = 0x23;

/**
 * Finds the includes of C and C++: `"a.h"` as `a.h`, `<a.h>` as it is written. In C++, `using a::b;` becomes a link to
 * `using:a` with a name, and `using namespace a;` one with all names.
 */
export function readCLinks(reading: Reading): void {
  const { tokens, links, skipped } = reading;
  for (let token = 0; token < tokens.count; token++) {
    if (tokens.kind[token] !== NAME) continue;
    const line = tokens.line[token] ?? 1;
    if (isMark(tokens, token - 1, HASH)) {
      skipped.add(token);
      const word = tokens.name[token];
      const next = token + 1;
      if ((word === "include" || word === "import") && tokens.kind[next] === STRING) {
        skipped.add(next);
        links.push({ kind: "import", line, module: stringAt(tokens, next), names: [], all: true });
      } else if ((word === "include" || word === "import") && isMark(tokens, next, LESS)) {
        let end = next;
        while (end < tokens.count && tokens.line[end] === line && !isMark(tokens, end, GREATER))
          skipped.add(end++);
        const module = tokens.text.slice(tokens.start[next], tokens.end[end]);
        links.push({ kind: "import", line, module, names: [], all: true });
      } else if (word === "error" || word === "warning" || word === "pragma" || word === "line")
        for (let at = next; tokens.line[at] === line && at < tokens.count; at++) skipped.add(at);
    } else if (tokens.name[token] === "using") readUsing(reading, token, line);
  }
}

function readUsing({ tokens, links, roles }: Reading, token: number, line: number): void {
  const isNamespace = tokens.name[token + 1] === "namespace";
  const path: string[] = [];
  let at = token + (isNamespace ? 2 : 1);
  for (; at < tokens.count && !isMark(tokens, at, 0x3b); at++) {
    // `using A = B` defines a type.
    if (tokens.kind[at] === NAME) path.push(tokens.name[at] ?? "");
    else if (!isMark(tokens, at, 0x3a)) return;
    if (!isNamespace) roles.set(at, "import");
  }
  const name = isNamespace ? undefined : path.pop();
  if (path.length === 0) return;
  const names = name === undefined ? [] : [{ name, as: name }];
  links.push({ kind: "import", line, module: `using:${path.join("::")}`, names, all: isNamespace });
}
