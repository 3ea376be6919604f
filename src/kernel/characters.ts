/** How many characters a text has: code points, so that a pair of surrogates is one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) if (isPairAt(text, at)) count--;
  return count;
}

/** The first characters of a text, this many at most. */
export function firstCharacters(text: string, most: number): string {
  return text.slice(0, offsetOf(text, most));
}

/** The text from a character on; the first is number 1. */
export function fromCharacter(text: string, number: number): string {
  return text.slice(offsetOf(text, number - 1));
}

/** Where in the text this many characters end. */
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
