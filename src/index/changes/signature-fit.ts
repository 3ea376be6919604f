/** Words that make a definition visible to more code. */
const WIDER = /^(?:export|default|public|pub(?:\([^)]*\))?)\s+/;

/**
 * True if code that fits the old signature fits the new one too, as far as their texts show it: only white space or a
 * word such as `export` was added, or optional parameters after the old ones.
 */
export function isCompatible(before: string, after: string): boolean {
  const [was, is] = [withoutSpace(before), withoutSpace(after)];
  if (was === is || was === withoutSpace(after.replace(WIDER, ""))) return true;
  const [old, now] = [parametersOf(before), parametersOf(after)];
  if (old === undefined || now === undefined || now.list.length <= old.list.length) return false;
  if (old.head !== now.head || old.tail !== now.tail) return false;
  return (
    old.list.every((one, at) => withoutSpace(one) === withoutSpace(now.list[at] ?? "")) &&
    now.list.slice(old.list.length).every(isOptional)
  );
}

interface Parameters {
  readonly head: string;
  readonly list: readonly string[];
  readonly tail: string;
}

const OPEN = "([{<";
const CLOSE = ")]}>";

/** Splits a signature at its first list in round brackets; undefined if it has none. */
function parametersOf(signature: string): Parameters | undefined {
  const start = signature.indexOf("(");
  if (start < 0) return undefined;
  const list: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < signature.length; at++) {
    const sign = signature[at] ?? "";
    // The arrow of a function type is no closing bracket.
    if (sign === ">" && /[=-]/.test(signature[at - 1] ?? "")) continue;
    if (OPEN.includes(sign)) depth++;
    else if (CLOSE.includes(sign)) depth--;
    const isEnd = depth === 0;
    if (isEnd || (sign === "," && depth === 1)) {
      const part = signature.slice(from, at).trim();
      if (part !== "") list.push(part);
      from = at + 1;
    }
    if (isEnd)
      return {
        head: withoutSpace(signature.slice(0, start).replace(WIDER, "")),
        list,
        tail: withoutSpace(signature.slice(at + 1)),
      };
  }
  return undefined;
}

/** True for a parameter that callers may leave out: with a default, marked as optional, or a rest parameter. */
function isOptional(parameter: string): boolean {
  return /(?<![=!<>])=(?![=>])|^\w+\?(?:\s*:|$)|^\.\.\.|^\*|\.\.\.$|\.\.\.\s*\w+$/.test(parameter);
}

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}>])/g, "");
}
