/** The first line of a message with its values replaced: texts in quotes, numbers, ids and paths. */
export function messageShape(message: string): string {
  const [first = ""] = message.split("\n", 1);
  return first
    .slice(0, MAX_SHAPE_CHARACTERS)
    .replaceAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|‘[^’]*’|“[^”]*”/g, "…")
    .replaceAll(/\b(?:NaN|undefined|null|None|nil|true|false|True|False|Infinity)\b/g, "…")
    .replaceAll(/(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]+/g, "…")
    .replaceAll(/[-+]?\b(?:0x[\da-f]+|\d[\d_.,:]*(?:e[-+]?\d+)?)(?:n|ms|s|m|h|%)?\b/gi, "…")
    .replaceAll(/\b[\da-f]{6,}\b/gi, "…");
}

/**
 * How many characters of a message's first line are compared. Assertions print their values in that line, and the
 * beginning of a longer line tells what failed.
 */
const MAX_SHAPE_CHARACTERS = 400;
