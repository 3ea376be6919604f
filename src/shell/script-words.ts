import type { Script, ScriptWord } from "./script-syntax.ts";

/** Thrown for shell syntax that the parser does not support; the message names it. */
export class UnsupportedSyntax extends Error {}

const END_OF_WORD = /[\s;&|()<>]/;
const ARITHMETIC = /\$\(\((?:[^()`$]|\$\w|\([^()`$]*\))*\)\)/y;
const BACKTICKED = /`((?:[^`\\]|\\[^])*)`/y;
const ESCAPED_QUOTE = /\$'((?:[^'\\]|\\[^])*)'/y;
const NAME = /\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])/y;
/** Arithmetic without names: bash runs the command substitutions in the value of a variable that arithmetic names. */
const STRICT_ARITHMETIC = /\$\(\([\d +*/%-]*\)\)/y;
/**
 * The parameter expansions of a strict script. Others can run a command that is in the value of a variable, as
 * `${x@P}` does, or set a variable, as `${PATH:=x}` does.
 */
const STRICT_PARAMETER =
  /\$\{(?:#?[A-Za-z_]\w*|[A-Za-z_]\w*(?::?[-+?]|%%?|##?)[^$`'"\\{}<>()]*|[0-9@*#?!$-])\}/y;
const STRICT_BACKTICKS = /`([^`\\"]*)`/y;
/** Braces that bash leaves as they are, such as `{}` and `{0}`. */
const LITERAL_BRACES = /\{\w*\}/y;
/** Characters after which a `$` in front of them would be more than a dollar sign. */
const AFTER_DOLLAR = /[[{(\\`]/;
/** The deepest nesting of command substitutions that is parsed; a script with deeper ones is not supported. */
const MAX_DEPTH = 8;

/** Callbacks that parse the scripts inside command substitutions. */
interface ScriptReaders {
  /** Parses from the current position up to a closing parenthesis. */
  readUntilParenthesis(): Script;
  /** Parses a separate text, such as the inside of backticks. */
  readText(text: string): Script;
}

interface WordState extends Omit<ScriptWord, "from" | "to" | "substitutions"> {
  readonly substitutions: Script[];
}

/** Reads the words of a script one after another, and keeps the position in `at`. */
export class WordReader {
  at = 0;
  readonly #text: string;
  readonly #readers: ScriptReaders;
  #word = "";
  #expands = false;
  #splits = false;
  #substitutions: Script[] = [];
  #depth = 0;
  readonly #isStrict: boolean;

  constructor(text: string, readers: ScriptReaders, isStrict: boolean) {
    this.#text = text;
    this.#readers = readers;
    this.#isStrict = isStrict;
  }

  /** True if the position is inside a command substitution. */
  get isNested(): boolean {
    return this.#depth > 0;
  }

  /** Reads the word at the current position; undefined if none begins there. */
  read(): ScriptWord | undefined {
    while (/[ \t]/.test(this.#peek()) || (!this.#isStrict && this.#text.startsWith("\\\n", this.at)))
      this.at += this.#peek() === "\\" ? 2 : 1;
    const from = this.at;
    const outer = this.#state();
    this.#restore({ text: "", expands: false, splits: false, substitutions: [] });
    while (this.#peek() !== "" && !END_OF_WORD.test(this.#peek())) this.#readPart();
    const word = this.#state();
    // The outer word is restored, so that a word inside a substitution does not become part of it.
    this.#restore(outer);
    return this.at === from ? undefined : { ...word, from, to: this.at };
  }

  #state(): WordState {
    return {
      text: this.#word,
      expands: this.#expands,
      splits: this.#splits,
      substitutions: this.#substitutions,
    };
  }

  #restore(state: WordState): void {
    this.#word = state.text;
    this.#expands = state.expands;
    this.#splits = state.splits;
    this.#substitutions = state.substitutions;
  }

  /** Skips one character, one quoted part or one expansion. */
  skipPart(): void {
    const outer = { word: this.#word, expands: this.#expands };
    this.#readPart();
    this.#word = outer.word;
    this.#expands = outer.expands;
  }

  #readPart(): void {
    const char = this.#peek();
    if (char === "'") return this.#readSingleQuoted();
    if (char === '"') return this.#readDoubleQuoted();
    if (char === "\\") return this.#readEscape();
    if (char === "$" || char === "`") return this.#readExpansion(false);
    if ("*?[".includes(char) || (char === "{" && !this.#matches(LITERAL_BRACES))) this.#splits = true;
    if (this.#splits || (char === "~" && /^$|[=:]$/.test(this.#word))) this.#expands = true;
    this.#take(1);
  }

  #readSingleQuoted(): void {
    const end = this.#text.indexOf("'", this.at + 1);
    if (end < 0) throw new UnsupportedSyntax("an open quote");
    this.#word += this.#text.slice(this.at + 1, end);
    this.at = end + 1;
  }

  #readDoubleQuoted(): void {
    this.at++;
    while (this.#peek() !== '"') {
      const char = this.#peek();
      if (char === "") throw new UnsupportedSyntax("an open quote");
      if (char === "\\" && /["\\$`\n]/.test(this.#text.charAt(this.at + 1))) this.#readEscape();
      else if (char === "$" || char === "`") this.#readExpansion(true);
      else this.#take(1);
    }
    this.at++;
  }

  #readEscape(): void {
    const next = this.#text.charAt(this.at + 1);
    if (next === "") throw new UnsupportedSyntax("an open quote");
    if (next === "\n" && this.#isStrict) throw new UnsupportedSyntax("a continued line inside a word");
    if (next !== "\n") this.#word += next;
    this.at += 2;
  }

  #readExpansion(isQuoted: boolean): void {
    const from = this.at;
    if (this.#text.startsWith("$'", from) && !isQuoted) return this.#readAnsiQuoted();
    if (this.#text.startsWith("$((", from))
      this.#match(this.#isStrict ? STRICT_ARITHMETIC : ARITHMETIC, "arithmetic");
    else if (this.#text.startsWith("$(", from)) this.#readSubstitution();
    else if (this.#text.startsWith("${", from)) this.#readParameter();
    else if (this.#peek() === "`") this.#substitutions.push(this.#readers.readText(this.#readBackticks()));
    else if (this.#matches(NAME)) this.at = NAME.lastIndex;
    else return this.#readDollar(isQuoted);
    this.#expands = true;
    this.#splits ||= !isQuoted || /^\$\{?@/.test(this.#text.slice(from, from + 3));
    this.#word += this.#text.slice(from, this.at);
  }

  /** Reads a `$` that begins no expansion. */
  #readDollar(isQuoted: boolean): void {
    const next = this.#text.charAt(this.at + 1);
    if (this.#isStrict && (AFTER_DOLLAR.test(next) || (next === '"' && !isQuoted)))
      throw new UnsupportedSyntax(`$${next}`);
    this.#take(1);
  }

  #readAnsiQuoted(): void {
    const inner = this.#match(ESCAPED_QUOTE, "an open quote");
    this.#expands ||= inner.includes("\\");
    this.#word += inner;
  }

  #readBackticks(): string {
    return this.#match(this.#isStrict ? STRICT_BACKTICKS : BACKTICKED, "a backtick").replaceAll(
      /\\([`$\\])/g,
      "$1",
    );
  }

  #matches(expression: RegExp): boolean {
    expression.lastIndex = this.at;
    return expression.test(this.#text);
  }

  /**
   * Skips the text that the regular expression matches at the current position, and returns its first capture group.
   */
  #match(expression: RegExp, name: string): string {
    expression.lastIndex = this.at;
    const found = expression.exec(this.#text);
    if (found === null) throw new UnsupportedSyntax(name);
    this.at = expression.lastIndex;
    return found[1] ?? "";
  }

  #readSubstitution(): void {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedSyntax("nested substitutions");
    const outer = this.#word;
    this.at += 2;
    const script = this.#readers.readUntilParenthesis();
    if (this.#peek() !== ")") throw new UnsupportedSyntax("an open bracket");
    this.at++;
    this.#word = outer;
    this.#substitutions.push(script);
    this.#depth--;
  }

  /** Reads `${name…}` with the quoted parts and expansions inside it. */
  #readParameter(): void {
    if (this.#isStrict) {
      this.#match(STRICT_PARAMETER, "this form of ${…}");
      return;
    }
    const outer = this.#word;
    this.at += 2;
    while (this.#peek() !== "}") {
      if (this.#peek() === "") throw new UnsupportedSyntax("an open brace");
      this.#readPart();
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
