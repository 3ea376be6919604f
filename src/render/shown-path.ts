/** Matches control and format characters: line ends, escapes, and characters that reverse or hide text. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Writes a path for a line of a reply. A file name with line ends or escapes could imitate other lines of the reply, so
 * it is quoted as in JSON. Pith's tools accept it in that form.
 */
export function shownPath(path: string): string {
  return path.search(UNSHOWABLE) < 0 ? path : JSON.stringify(path).replaceAll(UNSHOWABLE, escaped);
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}
