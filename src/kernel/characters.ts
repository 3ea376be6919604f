/** Counts characters as code points, so that a surrogate pair counts once. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) if (isPairAt(text, at)) count--;
  return count;
}

/** Returns at most this many characters from the start of a text. */
export function firstCharacters(text: string, most: number): string {
  return text.slice(0, offsetOf(text, most));
}

/** Returns the text from the given character to the end; the first character has number 1. */
export function fromCharacter(text: string, number: number): string {
  return text.slice(offsetOf(text, number - 1));
}

/** Returns the offset in a string (in UTF-16 units) at which the given number of characters ends. */
function offsetOf(text: string, characters: number): number {
  let at = 0;
  for (let left = characters; left > 0 && at < text.length; left--) at += isPairAt(text, at) ? 2 : 1;
  return at;
}

function isPairAt(text: string, at: number): boolean {
  const high = text.charCodeAt(at);
  const low = text.charCodeAt(at + 1);
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}
