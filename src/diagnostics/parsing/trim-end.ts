/** Removes all of the given characters from the end of a text. A pattern such as `/[: ]+$/` would try each run of them in the text. */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
