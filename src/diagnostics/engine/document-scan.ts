/** Follows a JSON or XML document line by line to find where it ends, without building a tree. */
export interface DocumentScanner {
  /** Reads the next line. `end` is the offset in this line at which the document ends; `broken` means that the text is not a document. */
  line(text: string): "open" | "broken" | { readonly end: number };
}

const OPEN = /[{[]/;
const BARE = /[\s:,\-+.\dA-Za-z]/;

/** Follows JSON by its brackets and strings. */
export function jsonScanner(): DocumentScanner {
  let depth = 0;
  let isQuoted = false;
  let isEscaped = false;
  let structure = "";

  /** Checks the first brackets, which distinguish a report (`{"`, `[{`) from other text that starts with a bracket. */
  function unlikely(char: string): boolean {
    if (structure.length > 2 || char.trim() === "") return false;
    const before = structure.at(-1);
    structure += char;
    if (before === "{") return char !== '"' && char !== "}";
    return before === "[" && char !== "{" && char !== "]";
  }

  return {
    line(text) {
      for (let i = 0; i < text.length; i++) {
        const char = text[i] ?? "";
        if (isQuoted) {
          if (isEscaped) isEscaped = false;
          else if (char === "\\") isEscaped = true;
          else if (char === '"') isQuoted = false;
          continue;
        }
        if (unlikely(char)) return "broken";
        if (char === '"') isQuoted = true;
        else if (OPEN.test(char)) depth++;
        else if (char === "}" || char === "]") {
          depth--;
          if (depth === 0) return { end: i + 1 };
        } else if (!BARE.test(char)) return "broken";
      }
      // A line that ends inside a string shows that the text is not JSON, because a JSON string cannot contain a line
      // break.
      return isQuoted ? "broken" : "open";
    },
  };
}

/** Follows XML by its tags; comments, CDATA sections and quoted attribute values may contain any text. */
export function xmlScanner(): DocumentScanner {
  let depth = 0;
  let seen = false;
  /** End marker of the comment, CDATA section or declaration that is being skipped. */
  let until: string | undefined;
  let tag: "none" | "open" | "close" = "none";
  let quote = "";

  function openMarkup(text: string, at: number): number {
    if (text.startsWith("<!--", at)) until = "-->";
    else if (text.startsWith("<![CDATA[", at)) until = "]]>";
    else if (text.startsWith("<?", at)) until = "?>";
    else if (text.startsWith("<!", at)) until = ">";
    else tag = text[at + 1] === "/" ? "close" : "open";
    return until === undefined ? at + 1 : at + 2;
  }

  function closeTag(text: string, at: number): boolean {
    if (tag === "close") depth--;
    else if (text[at - 1] !== "/") depth++;
    tag = "none";
    seen = true;
    return depth <= 0;
  }

  return {
    line(text) {
      let at = 0;
      while (at < text.length) {
        if (until !== undefined) {
          const end = text.indexOf(until, at);
          if (end < 0) return "open";
          at = end + until.length;
          until = undefined;
        } else if (tag === "none") {
          const next = text.indexOf("<", at);
          if (!seen && text.slice(at, next < 0 ? undefined : next).trim() !== "") return "broken";
          if (next < 0) return "open";
          at = openMarkup(text, next);
        } else if (quote !== "") {
          const end = text.indexOf(quote, at);
          if (end < 0) return "open";
          at = end + 1;
          quote = "";
        } else {
          const char = text[at] ?? "";
          if (char === '"' || char === "'") quote = char;
          else if (char === ">" && closeTag(text, at)) return { end: at + 1 };
          else if (char === "<") return "broken";
          at++;
        }
      }
      return "open";
    },
  };
}
