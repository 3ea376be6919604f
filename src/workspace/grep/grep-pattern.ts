import { PithError } from "../../kernel/errors.ts";

/**
 * Translates a Rust regular expression to JavaScript, for machines without ripgrep. Syntax that JavaScript cannot express is
 * rejected with the messages of ripgrep. One difference remains: `\b` recognises only ASCII letters.
 */
export function compilePattern(pattern: string, matching: PatternMatching): RegExp {
  const { fixedStrings = false, ignoreCase } = matching;
  if (fixedStrings)
    return new RegExp(
      withBoundaries(Array.from(pattern, literal).join(""), matching),
      ignoreCase ? "iv" : "v",
    );
  const start = /^\(\?([imsuU]+)\)/.exec(pattern);
  const flags = start?.[1] ?? "";
  if (flags.includes("U")) throw invalidPattern("swapped greediness is not supported without ripgrep");
  const source = withBoundaries(new Translator(pattern.slice(start?.[0].length ?? 0)).translate(), matching);
  try {
    return new RegExp(source, ignoreCase || flags.includes("i") ? "iv" : "v");
  } catch (error) {
    throw invalidPattern(
      error instanceof Error
        ? error.message
            .replace(/^.*\/[a-z]*: /s, "")
            .toLowerCase()
            .replace("unterminated", "unclosed")
        : "",
      error,
    );
  }
}

interface PatternMatching {
  readonly ignoreCase: boolean;
  readonly fixedStrings?: boolean;
  readonly wordRegexp?: boolean;
  readonly lineRegexp?: boolean;
}

/** Extends an expression so that it must match a whole word or line, if that was requested. */
function withBoundaries(source: string, { wordRegexp = false, lineRegexp = false }: PatternMatching): string {
  if (lineRegexp) return `^(?:${source})$`;
  const word = `[${CLASSES["w"]}]`;
  return wordRegexp ? `(?<!${word})(?:${source})(?!${word})` : source;
}

/** Returns advice for a pattern that was rejected for the given reason. */
export function patternAdvice(reason: string): string {
  return /look-around|backreference/.test(reason)
    ? "Rust regular expressions have neither: match more and filter, or use grep -P in a shell."
    : "Escape characters that are meant literally with a backslash, ( ) [ ] { } . * + ? ^ $ | \\, or use -F for plain text.";
}

function invalidPattern(reason: string, cause?: unknown): PithError {
  return new PithError("invalid_input", reason, {}, { cause });
}

/** Character classes of Rust such as `\d`, as Unicode definitions that JavaScript accepts inside brackets. */
const CLASSES: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  w: "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}",
  s: "\\s",
};

const POSIX: Readonly<Record<string, string>> = {
  alnum: "A-Za-z0-9",
  alpha: "A-Za-z",
  ascii: "\\x00-\\x7F",
  blank: "\\t ",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "\\x21-\\x7E",
  lower: "a-z",
  print: "\\x20-\\x7E",
  punct: "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
  space: "\\t\\n\\v\\f\\r ",
  upper: "A-Z",
  word: "A-Za-z0-9_",
  xdigit: "0-9A-Fa-f",
};

const POSIX_CLASS = new RegExp(`^\\[:(\\^?)(${Object.keys(POSIX).join("|")}):\\]`);

/** Letters of escapes that have the same meaning in Rust and JavaScript. */
const SHARED_ESCAPES = "bBtnrfvSDW";
/** Characters that must be escaped inside a character class in JavaScript but not in Rust. */
const CLASS_SYNTAX = "(){}/|";

class Translator {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  translate(): string {
    let out = "";
    while (this.#at < this.#text.length) out += this.#next();
    return out;
  }

  #next(): string {
    const char = this.#take();
    if (char === "\\") return this.#escape(false);
    if (char === "[") return this.#charClass();
    if (char === "(") return this.#group();
    if (char === "{") return this.#repetition();
    return char === "]" || char === "}" ? `\\${char}` : char;
  }

  #take(): string {
    const char = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    this.#at += char.length;
    return char;
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    const found = expression.exec(this.#text.slice(this.#at));
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }

  #group(): string {
    const name = this.#match(/^\?P?<([A-Za-z_]\w*)>/)?.[1];
    if (name !== undefined) return `(?<${name}>`;
    if (this.#match(/^\?<?[=!]/))
      throw invalidPattern("look-around, including look-ahead and look-behind, is not supported");
    if (this.#match(/^\?[msu]*:/)) return "(?:";
    if (this.#text[this.#at] === "?")
      throw invalidPattern("flags inside a pattern are not supported without ripgrep");
    return "(";
  }

  #repetition(): string {
    const counts = this.#match(/^(\d*)(,?)(\d*)\}/);
    if (counts === undefined) throw invalidPattern("unclosed counted repetition");
    return `{${counts[1] || "0"}${counts[2]}${counts[3]}}`;
  }

  #escape(inClass: boolean): string {
    if (this.#at >= this.#text.length)
      throw invalidPattern("incomplete escape sequence, reached end of pattern prematurely");
    const point = this.#match(
      /^(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|[xuU]\{([0-9A-Fa-f]+)\})/,
    );
    if (point) return `\\u{${point.slice(1).find((digits) => digits !== undefined)}}`;
    const property = this.#match(/^([pP])(?:\{(\^?)([^}]*)\}|(\w))/);
    if (property) return propertyClass(property);
    const char = this.#take();
    const set = CLASSES[char];
    if (set !== undefined) return inClass ? set : `[${set}]`;
    const complement = CLASSES[char.toLowerCase()];
    if (complement !== undefined) return `[^${complement}]`;
    if (char === "a") return "\\x07";
    if (SHARED_ESCAPES.includes(char)) return `\\${char}`;
    if (/[0-9]/.test(char)) throw invalidPattern("backreferences are not supported");
    if (/[A-Za-z]/.test(char)) throw invalidPattern("unrecognized escape sequence");
    return literal(char);
  }

  /**
   * Translates a character class, from after its opening bracket. Operators in it apply from left to right, as in Rust.
   */
  #charClass(): string {
    const open = this.#match(/^\^/) ? "[^" : "[";
    let left = "";
    let part = "";
    for (let first = true; ; first = false) {
      if (this.#at >= this.#text.length) throw invalidPattern("unclosed character class");
      const operator = this.#match(/^(?:&&|--)/)?.[0];
      const posix = operator ? undefined : this.#match(POSIX_CLASS);
      const char = operator || posix ? "" : this.#take();
      if (operator) {
        left = `[${left}[${part}]]${operator}`;
        part = "";
      } else if (char === "]" && !first) return left === "" ? `${open}${part}]` : `${open}${left}[${part}]]`;
      else part += posix ? `[${posix[1]}${POSIX[posix[2] ?? ""]}]` : this.#classPart(char);
    }
  }

  #classPart(char: string): string {
    if (char === "\\") return this.#escape(true);
    if (char === "[") return this.#charClass();
    if (char === "~" && this.#match(/^~/))
      throw invalidPattern("symmetric difference is not supported without ripgrep");
    // A dash at the start or end of a character class stands for itself.
    if (char === "-") {
      const before = this.#text[this.#at - 2];
      return before === "[" || before === "^" || this.#text[this.#at] === "]" ? "\\-" : "-";
    }
    if (char === "]") return "\\]";
    return CLASS_SYNTAX.includes(char) ? `\\${char}` : char;
  }
}

/**
 * Translates Unicode properties such as `\pL`, `\p{Greek}` and `\p{^Lu}`; for scripts JavaScript requires the prefix
 * `Script=`.
 */
function propertyClass([, letter, caret, long, short]: RegExpExecArray): string {
  const name = long ?? short ?? "";
  const sign = (letter === "P") !== (caret === "^") ? "P" : "p";
  for (const form of [name, `Script=${name}`]) {
    try {
      void new RegExp(`\\p{${form}}`, "v");
      return `\\${sign}{${form}}`;
    } catch {
      // JavaScript does not accept the property in this form, so the next form is tried.
    }
  }
  throw invalidPattern("Unicode property not found");
}

/** Returns an expression for a literal character, escaped if it may have a special meaning in JavaScript. */
function literal(char: string): string {
  return /[\^$\\.*+?()[\]{}|/\-&!#%,:;<=>@`~]/.test(char)
    ? `\\u{${char.codePointAt(0)?.toString(16)}}`
    : char;
}
