import { PithError } from "../kernel/errors.ts";

/** One word of a command line as a shell would hand it on. */
export interface Word {
  readonly text: string;
  /** Its text depends on what a shell would put in: a variable, a pattern, a command's output. */
  readonly expands: boolean;
}

/** A command line, read as a POSIX shell reads it but without running or expanding anything. */
export interface CommandLine {
  /** The simple commands in it, those inside substitutions included. */
  readonly commands: readonly (readonly Word[])[];
  /** Whether it takes a shell: operators, redirections, expansions, builtins. Else it is one plain list of words. */
  readonly needsShell: boolean;
}

/** What only a shell can do; a program of that name may not even exist. */
const SHELL_WORDS: ReadonlySet<string> = new Set(
  `. : alias bg builtin case cd command declare dirs do done elif else esac eval exec exit export fi fg for function
  if in jobs local popd pushd read readonly return select set shift shopt source then time times trap type typeset
  ulimit umask unalias unset until wait while ! { } [[`.split(/\s+/),
);
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const EXPANSION = /^\$[A-Za-z0-9_{@*#?$!(-]|^`/;
const UNQUOTED_EXPANSION = /^\$[A-Za-z0-9_{@*#?$!('"-]|^`/;
const MAX_LENGTH = 100_000;
/** Substitutions inside substitutions beyond this are left as text. */
const MAX_DEPTH = 8;

/** Reads a command line as one would type it. Throws on an open quote or an empty line. */
export function readCommandLine(text: string): CommandLine {
  if (text.trim() === "") throw new PithError("invalid_input", "The command is empty");
  if (text.includes("\0")) throw new PithError("invalid_input", "The command contains a NUL character");
  if (text.length > MAX_LENGTH)
    throw new PithError("invalid_input", `The command is too long (${text.length} characters)`);
  const scanner = new Scanner(text, 0);
  scanner.scan();
  const commands = scanner.commands.filter((words) => words.length > 0);
  if (commands.length === 0) throw new PithError("invalid_input", "The command is empty");
  const [first] = commands[0] ?? [];
  const startsShell =
    first !== undefined && !first.expands && (SHELL_WORDS.has(first.text) || ASSIGNMENT.test(first.text));
  return { commands, needsShell: scanner.needsShell || startsShell };
}

class Scanner {
  readonly commands: Word[][] = [[]];
  needsShell = false;
  readonly #text: string;
  readonly #depth: number;
  #at = 0;
  #word = "";
  #inWord = false;
  #expands = false;
  #unbalanced = false;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  scan(): void {
    while (this.#at < this.#text.length) this.#step(this.#text.charAt(this.#at));
    this.#endWord();
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
    if (char === "$" || char === "`") return this.#expansion(char);
    if ("&|;()\n\r".includes(char)) return this.#operator();
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
    if (this.#inWord) this.commands.at(-1)?.push({ text: this.#word, expands: this.#expands });
    this.#word = "";
    this.#inWord = false;
    this.#expands = false;
  }

  #operator(): void {
    this.needsShell = true;
    this.#endWord();
    this.commands.push([]);
    this.#at++;
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
    const target = /^[<>]{1,3}[&|-]?[ \t]*(?:\d+|-)?/.exec(this.#text.slice(this.#at));
    const isDuplicate = /&[ \t]*(?:\d+|-)$/.test(target?.[0] ?? "");
    this.#at += Math.max(1, target?.[0].replace(/[ \t]+$|\d+$/, "").length ?? 1);
    if (isDuplicate) this.#at += /^[ \t]*(?:\d+|-)/.exec(this.#text.slice(this.#at))?.[0].length ?? 0;
    else this.#skipTarget();
  }

  #skipTarget(): void {
    const before = this.commands.at(-1)?.length ?? 0;
    while (/[ \t]/.test(this.#text.charAt(this.#at))) this.#at++;
    while (this.#at < this.#text.length && !/[\s&|;()<>]/.test(this.#text.charAt(this.#at)))
      this.#step(this.#text.charAt(this.#at));
    this.#endWord();
    this.commands.at(-1)?.splice(before);
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
    this.#at = end + 1;
  }

  #doubleQuoted(): void {
    this.#add("");
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

  #escaped(): void {
    const next = this.#text.charAt(this.#at + 1);
    // A line end behind a backslash continues the line.
    if (next !== "\n") this.#add(next === "" ? "\\" : next);
    this.#at += next === "" ? 1 : 2;
  }

  #expansion(char: string, quoted = false): void {
    const rest = this.#text.slice(this.#at);
    const inner = this.#substitution(char, rest);
    if (inner === undefined && !(quoted ? EXPANSION : UNQUOTED_EXPANSION).test(rest)) {
      this.#add(char);
      this.#at++;
      return;
    }
    this.needsShell = true;
    this.#expands = true;
    const whole = inner?.whole ?? /^\$(?:\{[^}]{0,1000}\}|\w+|.)/.exec(rest)?.[0] ?? char;
    if (inner !== undefined && this.#depth < MAX_DEPTH) this.#nested(inner.body);
    this.#add(whole);
    this.#at += whole.length;
  }

  #substitution(char: string, rest: string): Substitution | undefined {
    if (this.#unbalanced || !(char === "`" || rest.startsWith("$("))) return undefined;
    const found = char === "`" ? backticked(rest) : bracketed(rest);
    // What has no end here has none further on; looking again at every place would take quadratic time.
    this.#unbalanced = found === undefined;
    return found;
  }

  #nested(body: string): void {
    const scanner = new Scanner(body, this.#depth + 1);
    scanner.scan();
    this.commands.unshift(...scanner.commands);
  }

  #isBraceList(): boolean {
    return /^\{[^\s{}]*(?:,|\.\.)[^\s{}]*\}/.test(this.#text.slice(this.#at, this.#at + 1_000));
  }
}

interface Substitution {
  readonly whole: string;
  readonly body: string;
}

function backticked(text: string): Substitution | undefined {
  const end = text.indexOf("`", 1);
  return end < 0 ? undefined : { whole: text.slice(0, end + 1), body: text.slice(1, end) };
}

/** `$(…)` with brackets inside counted; quotes inside are not looked at, an early end only shows more commands. */
function bracketed(text: string): Substitution | undefined {
  let depth = 0;
  for (let i = 1; i < text.length; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")" && --depth === 0) return { whole: text.slice(0, i + 1), body: text.slice(2, i) };
  }
  return undefined;
}

function openQuote(quote: string): PithError {
  return new PithError("invalid_input", `The command has an open ${quote} quote`);
}
