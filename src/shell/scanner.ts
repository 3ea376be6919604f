import { PithError } from "../kernel/errors.ts";
import { findDocumentBody, type HereDocument } from "./here-document.ts";

/** One word of a command line, as a shell would pass it to a program. */
export interface Word {
  readonly text: string;
  /**
   * True if the shell changes the text before it passes it on, because it holds a variable, a pattern or a command
   * substitution.
   */
  readonly expands: boolean;
}

const EXPANSION = /^\$[A-Za-z0-9_{@*#?$!([-]|^`/;
/** The deepest nesting of command substitutions that is parsed; deeper ones count as unknown commands. */
const MAX_DEPTH = 8;
/**
 * Matches arithmetic such as `$((1 + 2))` without substitutions and with balanced parentheses; no shell runs a command
 * in it.
 */
const ARITHMETIC = /\$\(\((?:[^()`$'"\\]|\$\w|\([^()`$'"\\]*\))*\)\)/y;
/** Keywords of a shell after which a command follows directly. */
const COMMAND_PREFIXES: ReadonlySet<string> = new Set("! do elif else if then until while {".split(" "));

interface ScannerStart {
  readonly depth: number;
  readonly from: number;
  /** True if the text is the inside of `$(…)`, so that scanning ends after its closing parenthesis. */
  readonly isSubstitution: boolean;
  /** The state that the scanners of one command line share, including those of its nested scripts. */
  readonly shared: SharedState;
}

/**
 * Whether a `${` or a `$(` without an end was found. After one, no other end is searched for, because searching to the
 * end each time would not take linear time.
 */
interface SharedState {
  hasOpenBraces: boolean;
  hasOpenSubstitution: boolean;
}

/** Splits shell text into its simple commands in one pass. */
export class ShellScanner {
  readonly #own: Word[][] = [[]];
  /** The commands of nested scripts, such as those in `$(…)`. */
  readonly #nested: (readonly Word[])[] = [];
  needsShell = false;
  readonly #text: string;
  readonly #start: ScannerStart;
  #at: number;
  #word = "";
  #inWord = false;
  #expands = false;
  #isQuoted = false;
  /** The number of open parentheses, and of open `case` statements, whose patterns end with an unmatched `)`. */
  #openParentheses = 0;
  #openCases = 0;
  #isClosed = false;
  #hasUnknown = false;
  /** The number of `${` that are open at the current position. */
  #openBraces = 0;
  /** True inside `((1<<2))`, where `<<` is a shift and starts no here-document. */
  #inArithmetic = false;
  /** The here-documents whose text begins at the next line. */
  readonly #pendingDocuments: HereDocument[] = [];
  /** True if a here-document has no end. No other end is searched for then, so that the time stays linear. */
  #hasUnterminatedDocument = false;

  constructor(text: string, start: ScannerStart = createStart()) {
    this.#text = text;
    this.#start = start;
    this.#at = start.from;
  }

  /** The simple commands, those of nested scripts first. */
  get commands(): readonly (readonly Word[])[] {
    return [...this.#nested, ...this.#own];
  }

  scan(): void {
    while (!this.#isClosed && this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    this.#endWord();
  }

  /** Scans text in which only command substitutions matter, as in a here-document or after `${x:-`. */
  scanQuoted(): void {
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === "\\") this.#at += 2;
      else if (char === "$" || char === "`") this.#readExpansion(char, true);
      else this.#at++;
    }
  }

  #step(char: string): void {
    if (char === "'") return this.#readSingleQuoted();
    if (char === '"') return this.#readDoubleQuoted();
    if (char === "\\") return this.#readEscape();
    if (char === " " || char === "\t") {
      this.#at++;
      return this.#endWord();
    }
    if (char === "#" && !this.#inWord) return this.#skipComment();
    if (char === "$" || char === "`") return this.#readExpansion(char, false);
    if ("&|;()\n\r".includes(char)) return this.#readOperator(char);
    if (char === "<" || char === ">") return this.#readRedirection();
    if ("*?[".includes(char) || (char === "~" && !this.#inWord) || (char === "{" && this.#isBraceList())) {
      this.needsShell = true;
      this.#expands = true;
    }
    this.#append(char);
    this.#at++;
  }

  #append(text: string): void {
    this.#word += text;
    this.#inWord = true;
  }

  #endWord(): void {
    if (this.#inWord) {
      const command = this.#own.at(-1) ?? [];
      if (!this.#isQuoted && command.every((word) => COMMAND_PREFIXES.has(word.text))) this.#countCase();
      command.push({ text: this.#word, expands: this.#expands });
    }
    this.#word = "";
    this.#inWord = false;
    this.#expands = false;
    this.#isQuoted = false;
  }

  #countCase(): void {
    if (this.#word === "case") this.#openCases++;
    if (this.#word === "esac" && this.#openCases > 0) this.#openCases--;
  }

  #readOperator(char: string): void {
    this.needsShell = true;
    this.#endWord();
    if (this.#text.startsWith("((", this.#at)) this.#inArithmetic = true;
    if (this.#text.startsWith("))", this.#at)) this.#inArithmetic = false;
    if (char === "(") this.#openParentheses++;
    if (char === ")" && this.#openParentheses > 0) this.#openParentheses--;
    else if (char === ")" && this.#start.isSubstitution && this.#openCases === 0) this.#isClosed = true;
    this.#own.push([]);
    this.#at++;
    if (char === "\n") this.#skipDocuments();
  }

  /** Skips a redirection with its file, which is not an argument of the command. */
  #readRedirection(): void {
    this.needsShell = true;
    // The word before the operator may be a file descriptor, as in `2>&1`, and is then no argument of the command.
    if (/^\d*$/.test(this.#word)) {
      this.#word = "";
      this.#inWord = false;
    }
    this.#endWord();
    const rest = this.#text.slice(this.#at, this.#at + 100);
    const document = /^<<(?!<)(-?)/.exec(rest);
    if (document !== null && !this.#inArithmetic) return this.#readDocument(document[0].length);
    const target = /^[<>]{1,3}[&|-]?[ \t]*(?:\d+|-)?/.exec(rest);
    const isDuplicate = /&[ \t]*(?:\d+|-)$/.test(target?.[0] ?? "");
    this.#at += Math.max(1, target?.[0].replace(/[ \t]+$|\d+$/, "").length ?? 1);
    if (isDuplicate) this.#at += /^[ \t]*(?:\d+|-)/.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
    else this.#skipTarget();
  }

  #readDocument(operator: number): void {
    const stripsTabs = operator === 3;
    this.#at += operator;
    const from = this.#at;
    const [word] = this.#skipTarget();
    const isLiteral = /["'\\]/.test(this.#text.slice(from, this.#at));
    if (word !== undefined) this.#pendingDocuments.push({ end: word.text, isLiteral, stripsTabs });
  }

  #skipTarget(): Word[] {
    const before = this.#own.at(-1)?.length ?? 0;
    while (/[ \t]/.test(this.#text.charAt(this.#at))) this.#at++;
    while (this.#at < this.#text.length && !/[\s&|;()<>]/.test(this.#text.charAt(this.#at)))
      this.#step(this.#text.charAt(this.#at));
    this.#endWord();
    return this.#own.at(-1)?.splice(before) ?? [];
  }

  /**
   * Skips the texts of here-documents. If one has no end, its text is scanned as commands, so that it cannot hide any.
   */
  #skipDocuments(): void {
    for (const document of this.#pendingDocuments.splice(0)) {
      const body = this.#hasUnterminatedDocument
        ? undefined
        : findDocumentBody(this.#text, this.#at, document);
      this.#hasUnterminatedDocument ||= body === undefined;
      if (body === undefined) return;
      if (!document.isLiteral) this.#scanQuotedText(this.#text.slice(this.#at, body.end));
      this.#at = body.next;
    }
  }

  #skipComment(): void {
    this.needsShell = true;
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #readSingleQuoted(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) throw openQuote("'");
    this.#append(this.#text.slice(this.#at + 1, end));
    this.#isQuoted = true;
    this.#at = end + 1;
  }

  #readDoubleQuoted(): void {
    this.#append("");
    this.#isQuoted = true;
    this.#at++;
    for (;;) {
      const char = this.#text.charAt(this.#at);
      if (char === "") throw openQuote('"');
      if (char === '"') break;
      if (char === "\\" && /["\\$`\n]/.test(this.#text.charAt(this.#at + 1))) this.#readEscape();
      else if (char === "$" || char === "`") this.#readExpansion(char, true);
      else {
        this.#append(char);
        this.#at++;
      }
    }
    this.#at++;
  }

  /** Reads a string like `$'a\tb'`; its escapes are left to the shell. */
  #readAnsiQuoted(): void {
    let end = this.#at + 2;
    while (end < this.#text.length && this.#text[end] !== "'") end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) throw openQuote("'");
    const body = this.#text.slice(this.#at + 2, end);
    this.needsShell = true;
    this.#isQuoted = true;
    if (body.includes("\\")) this.#expands = true;
    this.#append(body);
    this.#at = end + 1;
  }

  #readEscape(): void {
    const next = this.#text.charAt(this.#at + 1);
    // A backslash before a line end continues the line.
    if (next !== "\n") this.#append(next === "" ? "\\" : next);
    this.#isQuoted = true;
    this.#at += next === "" ? 1 : 2;
  }

  #readExpansion(char: string, quoted: boolean): void {
    if (!quoted && this.#text.startsWith("$'", this.#at)) return this.#readAnsiQuoted();
    if (!quoted && this.#text.startsWith('$"', this.#at)) {
      this.needsShell = true;
      this.#at++;
      return this.#readDoubleQuoted();
    }
    const start = this.#at;
    const rest = this.#text.slice(start, start + 1_010);
    if (!EXPANSION.test(rest)) {
      this.#append(char);
      this.#at++;
      return;
    }
    this.needsShell = true;
    this.#expands = true;
    const isRead = this.#skipArithmetic() || this.#readSubstitution(char, quoted) || this.#readBraces(quoted);
    if (!isRead) this.#at += this.#readVariable(rest).length;
    this.#append(this.#text.slice(start, this.#at));
  }

  #readVariable(rest: string): string {
    const whole = /^\$(?:\[[^\]]{0,1000}\]|\w+|.)/.exec(rest)?.[0] ?? rest.charAt(0);
    if (whole.length > 2 && /[`(]/.test(whole)) this.#scanQuotedText(whole.slice(2));
    return whole;
  }

  #skipArithmetic(): boolean {
    ARITHMETIC.lastIndex = this.#at;
    if (!this.#text.startsWith("$((", this.#at) || !ARITHMETIC.test(this.#text)) return false;
    this.#at = ARITHMETIC.lastIndex;
    return true;
  }

  /**
   * Reads `${name…}` with the quoted parts and expansions inside it. Returns false if none begins here or it is not
   * closed.
   */
  #readBraces(quoted: boolean): boolean {
    const { shared } = this.#start;
    if (shared.hasOpenBraces || !this.#text.startsWith("${", this.#at)) return false;
    if (this.#openBraces >= MAX_DEPTH) return this.#addUnknown();
    const { start, word, isQuoted } = { start: this.#at, word: this.#word, isQuoted: this.#isQuoted };
    this.#openBraces++;
    this.#at += 2;
    for (let char = this.#peek(); char !== "}" && char !== ""; char = this.#peek()) {
      if (char === "\\") this.#at += 2;
      else if (char === "$" || char === "`") this.#readExpansion(char, quoted);
      else if (char === '"') this.#readDoubleQuoted();
      else if (char === "'" && !quoted) this.#readSingleQuoted();
      else this.#at++;
    }
    this.#openBraces--;
    this.#word = word;
    this.#isQuoted = isQuoted;
    if (this.#peek() === "}") {
      this.#at++;
      return true;
    }
    this.#at = start;
    shared.hasOpenBraces = true;
    return this.#addUnknown();
  }

  /** Reads a command substitution. Returns false if none begins here or it is not closed. */
  #readSubstitution(char: string, quoted: boolean): boolean {
    const isBacktick = char === "`";
    const { shared } = this.#start;
    if (shared.hasOpenSubstitution || !(isBacktick || this.#text.startsWith("$(", this.#at))) return false;
    const end = isBacktick ? this.#readBackticks(quoted) : this.#readParenthesized();
    if (end === undefined) {
      shared.hasOpenSubstitution = true;
      return this.#addUnknown();
    }
    this.#at = end;
    return true;
  }

  /** Records that the text may run a command that could not be read. */
  #addUnknown(): false {
    if (!this.#hasUnknown)
      this.#nested.push([{ text: this.#text.slice(this.#at, this.#at + 100), expands: true }]);
    this.#hasUnknown = true;
    return false;
  }

  #readBackticks(quoted: boolean): number | undefined {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== "`") end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) return undefined;
    const script = this.#text.slice(this.#at + 1, end);
    // The shell removes one level of backslashes before it runs a script in backticks.
    const unescaped = script.replaceAll(quoted ? /\\([\\`$"])/g : /\\([\\`$])/g, "$1");
    this.#scanNested(unescaped, (scanner) => scanner.scan());
    return end + 1;
  }

  #readParenthesized(): number | undefined {
    const depth = this.#start.depth + 1;
    if (depth > MAX_DEPTH) return undefined;
    const scanner = new ShellScanner(this.#text, {
      ...this.#start,
      depth,
      from: this.#at + 2,
      isSubstitution: true,
    });
    scanner.scan();
    if (!scanner.#isClosed) return undefined;
    for (const command of scanner.commands) this.#nested.push(command);
    return scanner.#at;
  }

  #scanQuotedText(text: string): void {
    this.#scanNested(text, (scanner) => scanner.scanQuoted());
  }

  #scanNested(text: string, scan: (scanner: ShellScanner) => void): void {
    const depth = this.#start.depth + 1;
    if (depth > MAX_DEPTH) {
      this.#nested.push([{ text, expands: true }]);
      return;
    }
    const scanner = new ShellScanner(text, { ...this.#start, depth, from: 0, isSubstitution: false });
    scan(scanner);
    for (const command of scanner.commands) this.#nested.push(command);
  }

  #peek(): string {
    return this.#text.charAt(this.#at);
  }

  #isBraceList(): boolean {
    return /^\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}/.test(this.#text.slice(this.#at, this.#at + 1_000));
  }
}

function openQuote(quote: string): PithError {
  return new PithError("invalid_input", `The command has an open ${quote} quote`);
}

function createStart(): ScannerStart {
  return {
    depth: 0,
    from: 0,
    isSubstitution: false,
    shared: { hasOpenBraces: false, hasOpenSubstitution: false },
  };
}
