import type { Script, ScriptWord } from "./script-syntax.ts";

/** What lies outside the grammar; its message names it. */
export class Unreadable extends Error {}

const END_OF_WORD = /[\s;&|()<>]/;
const ARITHMETIC = /\$\(\((?:[^()`$]|\$\w|\([^()`$]*\))*\)\)/y;
const BACKTICKED = /`((?:[^`\\]|\\[^])*)`/y;
const ESCAPED_QUOTE = /\$'((?:[^'\\]|\\[^])*)'/y;
const NAME = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y;
/** Substitutions inside substitutions beyond this are not read. */
const MAX_DEPTH = 8;

/** How the scripts inside words are read. */
interface ScriptReaders {
  /** From this place up to a closing bracket. */
  bracketed(): Script;
  /** A text of its own. */
  script(text: string): Script;
}

/** Reads one word after another, and remembers where. */
export class WordReader {
  at = 0;
  readonly #text: string;
  readonly #readers: ScriptReaders;
  #word = "";
  #expands = false;
  #substitutions: Script[] = [];
  #depth = 0;

  constructor(text: string, readers: ScriptReaders) {
    this.#text = text;
    this.#readers = readers;
  }

  /** The word at this place; undefined where none begins. */
  read(): ScriptWord | undefined {
    while (/[ \t]/.test(this.#peek()) || this.#text.startsWith("\\\n", this.at))
      this.at += this.#peek() === "\\" ? 2 : 1;
    const from = this.at;
    const outer = { word: this.#word, expands: this.#expands, substitutions: this.#substitutions };
    this.#word = "";
    this.#expands = false;
    this.#substitutions = [];
    while (this.#peek() !== "" && !END_OF_WORD.test(this.#peek())) this.#part();
    const word = { text: this.#word, expands: this.#expands, substitutions: this.#substitutions };
    // A word inside a substitution must not become part of the word around it.
    this.#word = outer.word;
    this.#expands = outer.expands;
    this.#substitutions = outer.substitutions;
    return this.at === from ? undefined : { ...word, from, to: this.at };
  }

  /** Goes over a character, a quoted part or an expansion. */
  skipPart(): void {
    const outer = { word: this.#word, expands: this.#expands };
    this.#part();
    this.#word = outer.word;
    this.#expands = outer.expands;
  }

  #part(): void {
    const char = this.#peek();
    if (char === "'") return this.#single();
    if (char === '"') return this.#double();
    if (char === "\\") return this.#escaped();
    if (char === "$" || char === "`") return this.#expansion();
    if ("*?[".includes(char) || (char === "~" && this.#word === "")) this.#expands = true;
    this.#take(1);
  }

  #single(): void {
    const end = this.#text.indexOf("'", this.at + 1);
    if (end < 0) throw new Unreadable("an open quote");
    this.#word += this.#text.slice(this.at + 1, end);
    this.at = end + 1;
  }

  #double(): void {
    this.at++;
    while (this.#peek() !== '"') {
      const char = this.#peek();
      if (char === "") throw new Unreadable("an open quote");
      if (char === "\\" && /["\\$`\n]/.test(this.#text.charAt(this.at + 1))) this.#escaped();
      else if (char === "$" || char === "`") this.#expansion();
      else this.#take(1);
    }
    this.at++;
  }

  #escaped(): void {
    const next = this.#text.charAt(this.at + 1);
    if (next === "") throw new Unreadable("an open quote");
    if (next !== "\n") this.#word += next;
    this.at += 2;
  }

  #expansion(): void {
    const from = this.at;
    if (this.#text.startsWith("$'", from)) return this.#escapedQuote();
    if (this.#text.startsWith("$((", from)) this.#match(ARITHMETIC, "arithmetic");
    else if (this.#text.startsWith("$(", from)) this.#substitution();
    else if (this.#text.startsWith("${", from)) this.#parameter();
    else if (this.#peek() === "`") this.#substitutions.push(this.#readers.script(this.#backticked()));
    else {
      NAME.lastIndex = from;
      if (!NAME.test(this.#text)) return this.#take(1);
      this.at = NAME.lastIndex;
    }
    this.#expands = true;
    this.#word += this.#text.slice(from, this.at);
  }

  #escapedQuote(): void {
    const inner = this.#match(ESCAPED_QUOTE, "an open quote");
    this.#expands ||= inner.includes("\\");
    this.#word += inner;
  }

  #backticked(): string {
    return this.#match(BACKTICKED, "an open backtick").replaceAll(/\\([`$\\])/g, "$1");
  }

  /** Goes over what the expression matches here, and gives back its first group. */
  #match(expression: RegExp, name: string): string {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#text);
    if (found === null) throw new Unreadable(name);
    this.at = expression.lastIndex;
    return found[1] ?? "";
  }

  #substitution(): void {
    if (++this.#depth > MAX_DEPTH) throw new Unreadable("nested substitutions");
    const outer = this.#word;
    this.at += 2;
    const script = this.#readers.bracketed();
    if (this.#peek() !== ")") throw new Unreadable("an open bracket");
    this.at++;
    this.#word = outer;
    this.#substitutions.push(script);
    this.#depth--;
  }

  /** `${name…}`, with whatever is quoted or put in inside it. */
  #parameter(): void {
    const outer = this.#word;
    this.at += 2;
    while (this.#peek() !== "}") {
      if (this.#peek() === "") throw new Unreadable("an open brace");
      this.#part();
    }
    this.at++;
    this.#word = outer;
  }

  #take(count: number): void {
    this.#word += this.#text.slice(this.at, this.at + count);
    this.at += count;
  }

  #peek(): string {
    return this.#text.charAt(this.at);
  }
}
