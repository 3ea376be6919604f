/** A Markdown code block whose fence is longer than any fence in the text. */
export function fence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), (match) => match[0].length));
  const mark = "`".repeat(longest + 1);
  return `${mark}\n${text}\n${mark}`;
}
