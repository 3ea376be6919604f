/** Control and format characters: line ends, escapes, and those that turn or hide text. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * A path as it stands in a line of text. A file's name can hold line ends and escapes, and would then look like lines of
 * ours: such a name is quoted as in JSON, and can be sent back in that form.
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
