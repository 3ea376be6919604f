import { PithError } from "../kernel/errors.ts";
import type { Word } from "./command-line.ts";
import { documentBody, type HereDocument } from "./here-document.ts";

const EXPANSION = /^\$[A-Za-z0-9_{@*#?$!([-]|^`/;
/** Substitutions inside substitutions beyond this are not looked into: what they run is not known then. */
const MAX_DEPTH = 8;
/** Behind these a command begins as it does at the start of a line. */
const BEFORE_COMMAND: ReadonlySet<string> = new Set("! do elif else if then until while {".split(" "));

interface ScannerPlace {
  readonly depth: number;
  readonly from: number;
  /** Whether it reads what stands in `$(…)` and ends behind its bracket. */
  readonly inBrackets: boolean;
}

/** Splits a shell's text into the simple commands in it, in one pass. */
export class ShellScanner {
  readonly commands: Word[][] = [[]];
  needsShell = false;
  readonly #text: string;
  readonly #place: ScannerPlace;
  #at: number;
  #word = "";
  #inWord = false;
  #expands = false;
  #quoted = false;
  /** Brackets, and `case` with its own kind of bracket, that are open. */
  #brackets = 0;
  #cases = 0;
  #closed = false;
  #unbalanced = false;
  /** In `((1<<2))` nothing is read from a document. */
  #arithmetic = false;
  /** Documents whose text begins at the next line. */
  readonly #documents: HereDocument[] = [];
  /** One had no end: no further one is looked for, so that the time stays linear. */
  #lostDocument = false;

  constructor(text: string, place: ScannerPlace = { depth: 0, from: 0, inBrackets: false }) {
    this.#text = text;
    this.#place = place;
    this.#at = place.from;
  }

  scan(): void {
    while (!this.#closed && this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    this.#endWord();
  }

  /** Reads a text in which nothing but substitutions counts, as in a document or behind `${x:-`. */
  scanQuoted(): void {
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === "\\") this.#at += 2;
      else if (char === "$" || char === "`") this.#expansion(char, true);
      else this.#at++;
    }
  }

  #step(char: string): void {
    if (char === "'") return this.#singleQuoted();
    if (char === '"') return this.#doubleQuoted();
    if (char === "\\") return this.#escaped();
    if (char === " " || char === "\t") {
      this.#at++;
      return this.#endWord();
    }
    if (char === "#" && !this.#inWord) return this.#comment();
    if (char === "$" || char === "`") return this.#expansion(char, false);
    if ("&|;()\n\r".includes(char)) return this.#operator(char);
    if (char === "<" || char === ">") return this.#redirection();
    if ("*?[".includes(char) || (char === "~" && !this.#inWord) || (char === "{" && this.#isBraceList())) {
      this.needsShell = true;
      this.#expands = true;
    }
    this.#add(char);
    this.#at++;
  }

  #add(text: string): void {
    this.#word += text;
    this.#inWord = true;
  }

  #endWord(): void {
    if (this.#inWord) {
      const command = this.commands.at(-1) ?? [];
      if (!this.#quoted && command.every((word) => BEFORE_COMMAND.has(word.text))) this.#countCase();
      command.push({ text: this.#word, expands: this.#expands });
    }
    this.#word = "";
    this.#inWord = false;
    this.#expands = false;
    this.#quoted = false;
  }

  #countCase(): void {
    if (this.#word === "case") this.#cases++;
    if (this.#word === "esac" && this.#cases > 0) this.#cases--;
  }

  #operator(char: string): void {
    this.needsShell = true;
    this.#endWord();
    if (this.#text.startsWith("((", this.#at)) this.#arithmetic = true;
    if (this.#text.startsWith("))", this.#at)) this.#arithmetic = false;
    if (char === "(") this.#brackets++;
    if (char === ")" && this.#brackets > 0) this.#brackets--;
    else if (char === ")" && this.#place.inBrackets && this.#cases === 0) this.#closed = true;
    this.commands.push([]);
    this.#at++;
    if (char === "\n") this.#skipDocuments();
  }

  /** The file of a redirection is no argument of the command. */
  #redirection(): void {
    this.needsShell = true;
    // The number of a stream, as in 2>&1.
    if (/^\d*$/.test(this.#word)) {
      this.#word = "";
      this.#inWord = false;
    }
    this.#endWord();
    const rest = this.#text.slice(this.#at, this.#at + 100);
    const document = /^<<(?!<)(-?)/.exec(rest);
    if (document !== null && !this.#arithmetic) return this.#document(document[0].length);
    const target = /^[<>]{1,3}[&|-]?[ \t]*(?:\d+|-)?/.exec(rest);
    const isDuplicate = /&[ \t]*(?:\d+|-)$/.test(target?.[0] ?? "");
    this.#at += Math.max(1, target?.[0].replace(/[ \t]+$|\d+$/, "").length ?? 1);
    if (isDuplicate) this.#at += /^[ \t]*(?:\d+|-)/.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
    else this.#skipTarget();
  }

  #document(operator: number): void {
    const stripsTabs = operator === 3;
    this.#at += operator;
    const from = this.#at;
    const [word] = this.#skipTarget();
    const isLiteral = /["'\\]/.test(this.#text.slice(from, this.#at));
    if (word !== undefined) this.#documents.push({ end: word.text, isLiteral, stripsTabs });
  }

  #skipTarget(): Word[] {
    const before = this.commands.at(-1)?.length ?? 0;
    while (/[ \t]/.test(this.#text.charAt(this.#at))) this.#at++;
    while (this.#at < this.#text.length && !/[\s&|;()<>]/.test(this.#text.charAt(this.#at)))
      this.#step(this.#text.charAt(this.#at));
    this.#endWord();
    return this.commands.at(-1)?.splice(before) ?? [];
  }

  /** A document whose end is not found is read as commands: it must not hide any. */
  #skipDocuments(): void {
    for (const document of this.#documents.splice(0)) {
      const body = this.#lostDocument ? undefined : documentBody(this.#text, this.#at, document);
      this.#lostDocument ||= body === undefined;
      if (body === undefined) return;
      if (!document.isLiteral) this.#quotedText(this.#text.slice(this.#at, body.end));
      this.#at = body.next;
    }
  }

  #comment(): void {
    this.needsShell = true;
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end;
  }

  #singleQuoted(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    if (end < 0) throw openQuote("'");
    this.#add(this.#text.slice(this.#at + 1, end));
    this.#quoted = true;
    this.#at = end + 1;
  }

  #doubleQuoted(): void {
    this.#add("");
    this.#quoted = true;
    this.#at++;
    for (;;) {
      const char = this.#text.charAt(this.#at);
      if (char === "") throw openQuote('"');
      if (char === '"') break;
      if (char === "\\" && /["\\$`\n]/.test(this.#text.charAt(this.#at + 1))) this.#escaped();
      else if (char === "$" || char === "`") this.#expansion(char, true);
      else {
        this.#add(char);
        this.#at++;
      }
    }
    this.#at++;
  }

  /** `$'a\tb'`: what its escapes stand for is the shell's affair. */
  #escapedQuoted(): void {
    let end = this.#at + 2;
    while (end < this.#text.length && this.#text[end] !== "'") end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) throw openQuote("'");
    const body = this.#text.slice(this.#at + 2, end);
    this.needsShell = true;
    this.#quoted = true;
    if (body.includes("\\")) this.#expands = true;
    this.#add(body);
    this.#at = end + 1;
  }

  #escaped(): void {
    const next = this.#text.charAt(this.#at + 1);
    // A line end behind a backslash continues the line.
    if (next !== "\n") this.#add(next === "" ? "\\" : next);
    this.#quoted = true;
    this.#at += next === "" ? 1 : 2;
  }

  #expansion(char: string, quoted: boolean): void {
    if (!quoted && this.#text.startsWith("$'", this.#at)) return this.#escapedQuoted();
    if (!quoted && this.#text.startsWith('$"', this.#at)) {
      this.needsShell = true;
      this.#at++;
      return this.#doubleQuoted();
    }
    const start = this.#at;
    const rest = this.#text.slice(start, start + 1_010);
    if (!EXPANSION.test(rest)) {
      this.#add(char);
      this.#at++;
      return;
    }
    this.needsShell = true;
    this.#expands = true;
    if (!this.#substitution(char)) this.#at += this.#variable(rest).length;
    this.#add(this.#text.slice(start, this.#at));
  }

  #variable(rest: string): string {
    const whole = /^\$(?:\{[^}]{0,1000}\}|\[[^\]]{0,1000}\]|\w+|.)/.exec(rest)?.[0] ?? rest.charAt(0);
    if (whole.length > 2 && /[`(]/.test(whole)) this.#quotedText(whole.slice(2));
    return whole;
  }

  /** Reads a command whose output is put in; false where none begins here, or it has no end. */
  #substitution(char: string): boolean {
    const isBacktick = char === "`";
    // What has no end here has none further on; looking again at every place would take quadratic time.
    if (this.#unbalanced || !(isBacktick || this.#text.startsWith("$(", this.#at))) return false;
    const end = isBacktick ? this.#backticked() : this.#bracketed();
    this.#unbalanced = end === undefined;
    if (end !== undefined) this.#at = end;
    return end !== undefined;
  }

  #backticked(): number | undefined {
    const end = this.#text.indexOf("`", this.#at + 1);
    if (end < 0) return undefined;
    this.#nested(this.#text.slice(this.#at + 1, end), (scanner) => scanner.scan());
    return end + 1;
  }

  #bracketed(): number | undefined {
    const depth = this.#place.depth + 1;
    if (depth > MAX_DEPTH) return undefined;
    const scanner = new ShellScanner(this.#text, { depth, from: this.#at + 2, inBrackets: true });
    scanner.scan();
    if (!scanner.#closed) return undefined;
    this.commands.unshift(...scanner.commands);
    return scanner.#at;
  }

  #quotedText(text: string): void {
    this.#nested(text, (scanner) => scanner.scanQuoted());
  }

  #nested(text: string, scan: (scanner: ShellScanner) => void): void {
    const depth = this.#place.depth + 1;
    if (depth > MAX_DEPTH) {
      this.commands.unshift([{ text, expands: true }]);
      return;
    }
    const scanner = new ShellScanner(text, { depth, from: 0, inBrackets: false });
    scan(scanner);
    this.commands.unshift(...scanner.commands);
  }

  #isBraceList(): boolean {
    return /^\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}/.test(this.#text.slice(this.#at, this.#at + 1_000));
  }
}

function openQuote(quote: string): PithError {
  return new PithError("invalid_input", `The command has an open ${quote} quote`);
}
