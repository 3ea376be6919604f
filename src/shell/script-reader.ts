import { findDocumentBody, type HereDocument } from "./here-document.ts";
import type { AndOrList, Pipeline, Redirection, Script, ScriptWord, Stage } from "./script-syntax.ts";
import { UnsupportedSyntax, WordReader } from "./script-words.ts";

/** Keywords that start or end compound commands (such as loops), which this parser does not read. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac select function coproc { } !".split(" "),
);
/** The deepest nesting of groups that is parsed; a script with deeper ones counts as unread. */
const MAX_DEPTH = 32;
const REDIRECTION = /(\d*)(&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<|>)/y;
const END_OF_CONDITION = /\s\]\](?=[\s;&|)]|$)/y;
const BLANKS = /(?:[ \t]|\\\n)*/y;

/** The reason why a script could not be read, worded for the caller. */
export interface UnreadScript {
  readonly unread: string;
}

/** Matches a keyword at which a list of commands in a loop or an `if` ends. */
const END_OF_BODY = /(?:then|elif|else|fi|do|done)(?=[\s;&|)<>]|$)/y;
const STRICT_COMPOUND = /(?:if|while|until|for)(?=[ \t\n])/y;
const FOR_HEAD = /for[ \t]+([A-Za-z_]\w*)[ \t]+in(?=[ \t])/y;
/** Control characters and blanks that shells, locales and this parser could read in different ways. */
const AMBIGUOUS = /[^\S \t\n]|[\p{Cc}](?<![\t\n])|\p{Cf}/u;
const STRICT_DELIMITER = /^(?:\w+|'\w+'|"\w+"|\\\w+)$/;

export interface ReadOptions {
  /**
   * True if the script is read to decide what it runs. Then loops, `if` and `&` are read too, but everything that
   * shells could understand in another way, or that runs a command which the text does not show, counts as unread.
   */
  readonly isStrict?: boolean;
}

/**
 * Parses a script with a small grammar: simple commands with redirections and here-documents, pipes, `&&`, `||`, `;`
 * and groups. Any other syntax makes the whole script count as unread, because acting on a partial parse could change
 * what the script does.
 */
export function readScript(text: string, { isStrict = false }: ReadOptions = {}): Script | UnreadScript {
  try {
    return new ScriptReader(text, isStrict).read();
  } catch (error) {
    if (error instanceof UnsupportedSyntax) return { unread: error.message };
    throw error;
  }
}

/** A recursive descent parser; each of its methods begins and ends at the position `#words.at`. */
class ScriptReader {
  readonly #text: string;
  readonly #words: WordReader;
  #depth = 0;
  /** The here-documents whose text begins at the next line. */
  #pendingDocuments: HereDocument[] = [];

  readonly #isStrict: boolean;

  constructor(text: string, isStrict: boolean) {
    this.#text = text;
    this.#isStrict = isStrict;
    const readers = {
      readUntilParenthesis: () => this.#readList(")"),
      readText: (inner: string) => new ScriptReader(inner, isStrict).read(),
    };
    this.#words = new WordReader(text, readers, isStrict);
  }

  read(): Script {
    if (this.#text.includes("\r")) throw new UnsupportedSyntax("a carriage return");
    if (this.#isStrict && AMBIGUOUS.test(this.#text)) throw new UnsupportedSyntax("an unusual blank");
    const script = this.#readList("");
    if (this.#words.at < this.#text.length) throw new UnsupportedSyntax(`an unexpected ${this.#peek()}`);
    if (this.#pendingDocuments.length > 0) throw new UnsupportedSyntax("a here document");
    return script;
  }

  /** Reads commands up to a closing parenthesis, brace or keyword, or up to the end of the text. */
  #readList(end: "" | ")" | "}" | "keyword"): Script {
    const lists: AndOrList[] = [];
    for (;;) {
      this.#skipNewlines();
      if (this.#peek() === "" || this.#peek() === ")" || (end === "}" && this.#isBrace("}"))) break;
      if (end === "keyword" && this.#isAt(END_OF_BODY)) break;
      lists.push(this.#readAndOr());
      this.#skipBlanks();
      if (this.#peek() === "&" && !this.#isStrict) throw new UnsupportedSyntax("a background &");
      if (this.#text.startsWith(";;", this.#words.at)) throw new UnsupportedSyntax("an unexpected ;;");
      if (this.#peek() === ";" || this.#peek() === "&") this.#words.at++;
      else if (this.#peek() !== "\n") break;
    }
    this.#skipBlanks();
    return { lists };
  }

  #readAndOr(): AndOrList {
    const pipelines: Pipeline[] = [this.#readPipeline()];
    for (;;) {
      this.#skipBlanks();
      const joinedBy = (["&&", "||"] as const).find((one) => this.#text.startsWith(one, this.#words.at));
      if (joinedBy === undefined) return { pipelines };
      this.#words.at += 2;
      this.#skipNewlines();
      pipelines.push({ ...this.#readPipeline(), joinedBy });
    }
  }

  #readPipeline(): Pipeline {
    this.#skipBlanks();
    const isNegated = /^!(?=[ \t])/.test(this.#text.slice(this.#words.at, this.#words.at + 2));
    if (isNegated) this.#words.at++;
    const stages: Stage[] = [this.#readStage()];
    for (;;) {
      this.#skipBlanks();
      if (this.#peek() !== "|" || this.#text.startsWith("||", this.#words.at)) return { isNegated, stages };
      this.#words.at += this.#text.startsWith("|&", this.#words.at) ? 2 : 1;
      this.#skipNewlines();
      stages.push(this.#readStage());
    }
  }

  #readStage(): Stage {
    this.#skipBlanks();
    const from = this.#words.at;
    if (this.#text.startsWith("((", from)) throw new UnsupportedSyntax("arithmetic");
    if (this.#peek() === "(") return this.#readGroup(from, ")");
    if (this.#isBrace("{")) return this.#readGroup(from, "}");
    if (this.#isStrict && this.#isAt(STRICT_COMPOUND)) return this.#readCompound(from);
    return this.#readSimpleCommand(from);
  }

  /** Reads a loop or an `if` as a group of all the commands in it. */
  #readCompound(from: number): Stage {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedSyntax("nested loops");
    const lists: AndOrList[] = [];
    const isIf = this.#text.startsWith("if", from);
    if (this.#text.startsWith("for", from)) lists.push(this.#readForHead(from));
    else this.#words.at += /^[a-z]+/.exec(this.#text.slice(from, from + 10))?.[0].length ?? 0;
    const last = isIf ? "fi" : "done";
    for (;;) {
      lists.push(...this.#readList("keyword").lists);
      END_OF_BODY.lastIndex = this.#words.at;
      const [keyword] = END_OF_BODY.exec(this.#text) ?? [];
      const isExpected = isIf ? /^(?:then|elif|else|fi)$/ : /^(?:do|done)$/;
      if (keyword === undefined || !isExpected.test(keyword))
        throw new UnsupportedSyntax(`an unexpected ${keyword ?? "end"}`);
      this.#words.at += keyword.length;
      if (keyword !== last) continue;
      this.#depth--;
      return this.#readGroupEnd(from, { lists });
    }
  }

  /**
   * Reads `for x in words;`. The result is a command that sets the variable and does nothing else with the words, so
   * that the substitutions in them are found.
   */
  #readForHead(from: number): AndOrList {
    FOR_HEAD.lastIndex = from;
    const [head, name = ""] = FOR_HEAD.exec(this.#text) ?? [];
    if (head === undefined) throw new UnsupportedSyntax("this form of for");
    this.#words.at += head.length;
    const at = { from, to: this.#words.at, substitutions: [], splits: false };
    const words: ScriptWord[] = [
      { ...at, text: `${name}=`, expands: true },
      { ...at, text: ":", expands: false },
    ];
    for (;;) {
      this.#skipBlanks();
      const word = this.#words.read();
      if (word === undefined) break;
      words.push(word);
    }
    if (!/[;\n]/.test(this.#peek())) throw new UnsupportedSyntax(`an unexpected ${this.#peek()}`);
    this.#words.at++;
    return { pipelines: [{ isNegated: false, stages: [{ ...at, words, redirections: [] }] }] };
  }

  #readGroup(from: number, end: ")" | "}"): Stage {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedSyntax("nested groups");
    this.#words.at++;
    const group = this.#readList(end);
    this.#depth--;
    if (this.#peek() !== end || group.lists.length === 0) throw new UnsupportedSyntax(`an unexpected ${end}`);
    this.#words.at++;
    return this.#readGroupEnd(from, group);
  }

  #readGroupEnd(from: number, group: Script): Stage {
    const redirections: Redirection[] = [];
    for (;;) {
      const to = redirections.at(-1)?.to ?? this.#words.at;
      const next = this.#readRedirection();
      if (next === undefined) return { from, to, words: [], group, redirections };
      redirections.push(next);
    }
  }

  #readSimpleCommand(from: number): Stage {
    const words: ScriptWord[] = [];
    const redirections: Redirection[] = [];
    let to = from;
    for (;;) {
      const redirection = this.#readRedirection();
      if (redirection !== undefined) redirections.push(redirection);
      const word = redirection === undefined ? this.#words.read() : undefined;
      if (word !== undefined) words.push(word);
      if (word === undefined && redirection === undefined) break;
      to = this.#words.at;
      this.#rejectUnsupported(words, word);
      if (words.length === 1 && word?.text === "[[") to = this.#skipCondition();
    }
    if (words.length + redirections.length === 0)
      throw new UnsupportedSyntax(`an unexpected ${this.#peek() || "end"}`);
    return { from, to, words, redirections };
  }

  #rejectUnsupported(words: readonly ScriptWord[], last: ScriptWord | undefined): void {
    const [first] = words;
    const isPlain = first !== undefined && first.to - first.from === first.text.length;
    if (words.length === 1 && last === first && isPlain && KEYWORDS.has(first.text))
      throw new UnsupportedSyntax(`"${first.text}"`);
    if (this.#peek() === "(") throw new UnsupportedSyntax("a function or pattern in brackets");
    if (last?.text.startsWith("{") === true && /[<>]/.test(this.#peek()))
      throw new UnsupportedSyntax("a named stream");
  }

  /** Skips a condition `[[ … ]]`, which has operators of its own. */
  #skipCondition(): number {
    if (this.#isStrict) throw new UnsupportedSyntax("a condition [[ ]]");
    while (this.#words.at < this.#text.length) {
      END_OF_CONDITION.lastIndex = this.#words.at;
      if (END_OF_CONDITION.test(this.#text)) {
        this.#words.at = END_OF_CONDITION.lastIndex;
        return this.#words.at;
      }
      this.#words.skipPart();
    }
    throw new UnsupportedSyntax("a condition");
  }

  #readRedirection(): Redirection | undefined {
    this.#skipBlanks();
    const from = this.#words.at;
    REDIRECTION.lastIndex = from;
    const [whole, digits = "", operator = ""] = REDIRECTION.exec(this.#text) ?? [];
    if (whole === undefined) return undefined;
    this.#words.at += whole.length;
    if (this.#peek() === "(") throw new UnsupportedSyntax("a process substitution");
    this.#skipBlanks();
    const target = this.#words.read();
    if (target === undefined) throw new UnsupportedSyntax(`an unexpected ${operator}`);
    if (operator === "<<" || operator === "<<-") this.#expectDocument(target, operator === "<<-");
    const stream = digits === "" ? {} : { stream: Number(digits) };
    return { from, to: target.to, operator, target, ...stream };
  }

  #expectDocument({ text, from, to }: ScriptWord, stripsTabs: boolean): void {
    const source = this.#text.slice(from, to);
    const isLiteral = /["'\\]/.test(source);
    const isPlain = STRICT_DELIMITER.test(source) && this.#isPlainDocumentLine(to);
    if (this.#isStrict && !(isPlain && (isLiteral || !this.#words.isNested)))
      throw new UnsupportedSyntax("this form of a here document");
    this.#pendingDocuments.push({ end: text, isLiteral, stripsTabs });
  }

  /** Checks that the text of a here-document begins after the end of this line for every shell. */
  #isPlainDocumentLine(from: number): boolean {
    const rest = /.*/.exec(this.#text.slice(from))?.[0] ?? "";
    return !/['"`\\()]/.test(rest.replaceAll(/'[^']*'|"[^"$`\\]*"/g, ""));
  }

  /** Skips blanks, comments and line ends, and the texts of here-documents that begin after a line end. */
  #skipNewlines(): void {
    for (this.#skipBlanks(); this.#peek() === "\n"; this.#skipBlanks()) {
      this.#words.at++;
      for (const document of this.#pendingDocuments.splice(0)) {
        const body = findDocumentBody(this.#text, this.#words.at, document);
        const text = this.#text.slice(this.#words.at, body?.end ?? 0);
        if (body === undefined || !this.#isPlainDocument(text, document))
          throw new UnsupportedSyntax("a here document");
        this.#words.at = body.next;
      }
    }
  }

  /** Checks that the shell runs nothing while it expands the text of a here-document. */
  #isPlainDocument(text: string, { end, isLiteral }: HereDocument): boolean {
    if (!this.#isStrict) return isLiteral || !/`|\$\(/.test(text);
    // Some shells end a document in a substitution at a line that only begins with its delimiter.
    if (this.#words.isNested && text.split("\n").some((line) => line.trimStart().startsWith(end)))
      return false;
    if (isLiteral) return true;
    const rest = text.replaceAll(/\$(?:[A-Za-z_]\w*|\{[A-Za-z_]\w*\}|[0-9])/g, "");
    return !/[`\\]|\$[({['"]/.test(rest);
  }

  #skipBlanks(): void {
    const from = this.#words.at;
    BLANKS.lastIndex = from;
    BLANKS.exec(this.#text);
    this.#words.at = BLANKS.lastIndex;
    const continues = this.#text.slice(from, this.#words.at).includes("\n");
    if (this.#isStrict && continues && !(/[ \t]/.test(this.#text.charAt(from)) && this.#peek() !== "#"))
      throw new UnsupportedSyntax("a continued line");
    const isStart = this.#words.at === 0 || /[\s;&|()]/.test(this.#text.charAt(this.#words.at - 1));
    if (this.#peek() !== "#" || !isStart) return;
    const end = this.#text.indexOf("\n", this.#words.at);
    this.#words.at = end < 0 ? this.#text.length : end;
  }

  #isAt(expression: RegExp): boolean {
    expression.lastIndex = this.#words.at;
    return expression.test(this.#text);
  }

  /** Checks whether a brace is here that opens or closes a group. It does so only if it stands alone as a word. */
  #isBrace(brace: "{" | "}"): boolean {
    const next = this.#text.charAt(this.#words.at + 1);
    return this.#peek() === brace && (next === "" || (brace === "{" ? /\s/ : /[\s;&|)<>]/).test(next));
  }

  #peek(): string {
    return this.#text.charAt(this.#words.at);
  }
}
