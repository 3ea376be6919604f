import { isRandomValue } from "./randomness.ts";
import type { Range } from "./secret-kind.ts";

const HEADER =
  /\b(?:set-)?cookie\\{0,3}["']?\s{0,4}:\s{0,4}\[?\s{0,4}\\{0,3}["']?(?=[\w!#$%&'*+.^|~-]{1,200}=)/gi;
const PAIR = /(?<name>[\w!#$%&'*+.^|~-]{1,200})=(?<value>[^;,\s"'\\]{20,4096})/dy;
const NEXT = /[^;,"'\\]{0,4200}[;,]\s{0,4}/y;
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority)$/i;

/** Finds cookie values that are credentials, that is, random values; `theme=dark` is not one. */
export function cookieSecrets(line: string): Range[] {
  const found: Range[] = [];
  let read = 0;
  for (const { index, 0: header } of line.matchAll(HEADER)) {
    // Cookies are read up to the end of the line, so a second header within that range was already read.
    if (index < read) continue;
    for (let at = index + header.length; at < line.length;) {
      PAIR.lastIndex = at;
      const pair = PAIR.exec(line);
      const range = pair?.indices?.groups?.["value"];
      const { name = "", value = "" } = pair?.groups ?? {};
      if (range !== undefined && !ATTRIBUTE.test(name) && isRandomValue(decodeCookie(value)))
        found.push(range);
      NEXT.lastIndex = range?.[1] ?? at;
      const next = NEXT.exec(line);
      if (next === null) break;
      at = NEXT.lastIndex;
      read = at;
    }
  }
  return found;
}

/** Decodes a session cookie of Express, which has the form `s%3Aid.signature`. */
function decodeCookie(value: string): string {
  return value.replace(/^s%3A/i, "").replaceAll(/%(?:2B|2F|3D|3A)/gi, "+");
}
