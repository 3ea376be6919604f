import { isRandomValue } from "./randomness.ts";

const HEADER =
  /\b(?:set-)?cookie\\{0,3}["']?\s{0,4}:\s{0,4}\[?\s{0,4}\\{0,3}["']?(?=[\w!#$%&'*+.^|~-]{1,200}=)/gi;
const PAIR = /(?<name>[\w!#$%&'*+.^|~-]{1,200})=(?<value>[^;,\s"'\\]{20,4096})/dy;
const NEXT = /[^;,"'\\]{0,4200}[;,]\s{0,4}/y;
const ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|priority)$/i;

type Range = readonly [from: number, to: number];

/** The values of cookies that are credentials: random ones. `theme=dark` is none. */
export function cookieSecrets(line: string): Range[] {
  const found: Range[] = [];
  let read = 0;
  for (const { index, 0: header } of line.matchAll(HEADER)) {
    // The pairs of a header go on to the end of the line, other headers included.
    if (index < read) continue;
    for (let at = index + header.length; at < line.length;) {
      PAIR.lastIndex = at;
      const pair = PAIR.exec(line);
      const range = pair?.indices?.groups?.["value"];
      const { name = "", value = "" } = pair?.groups ?? {};
      if (range !== undefined && !ATTRIBUTE.test(name) && isRandomValue(decoded(value))) found.push(range);
      NEXT.lastIndex = range?.[1] ?? at;
      const next = NEXT.exec(line);
      if (next === null) break;
      at = NEXT.lastIndex;
      read = at;
    }
  }
  return found;
}

/** Express signs sessions as `s%3Aid.signature`. */
function decoded(value: string): string {
  return value.replace(/^s%3A/i, "").replaceAll(/%(?:2B|2F|3D|3A)/gi, "+");
}
