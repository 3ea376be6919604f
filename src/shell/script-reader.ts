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

/**
 * Parses a script with a small grammar: simple commands with redirections and here-documents, pipes, `&&`, `||`, `;`
 * and groups. Any other syntax makes the whole script count as unread, because acting on a partial parse could change
 * what the script does.
 */
export function readScript(text: string): Script | UnreadScript {
  try {
    return new ScriptReader(text).read();
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

  constructor(text: string) {
    this.#text = text;
    this.#words = new WordReader(text, {
      readUntilParenthesis: () => this.#readList(")"),
      readText: (inner) => new ScriptReader(inner).read(),
    });
  }

  read(): Script {
    if (this.#text.includes("\r")) throw new UnsupportedSyntax("a carriage return");
    const script = this.#readList("");
    if (this.#words.at < this.#text.length) throw new UnsupportedSyntax(`an unexpected ${this.#peek()}`);
    if (this.#pendingDocuments.length > 0) throw new UnsupportedSyntax("a here document");
    return script;
  }

  /** Reads commands up to a closing parenthesis or brace, or up to the end of the text. */
  #readList(end: "" | ")" | "}"): Script {
    const lists: AndOrList[] = [];
    for (;;) {
      this.#skipNewlines();
      if (this.#peek() === "" || this.#peek() === ")" || (end === "}" && this.#isBrace("}"))) break;
      lists.push(this.#readAndOr());
      this.#skipBlanks();
      if (this.#peek() === "&") throw new UnsupportedSyntax("a background &");
      if (this.#text.startsWith(";;", this.#words.at)) throw new UnsupportedSyntax("an unexpected ;;");
      if (this.#peek() === ";") this.#words.at++;
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
    return this.#readSimpleCommand(from);
  }

  #readGroup(from: number, end: ")" | "}"): Stage {
    if (++this.#depth > MAX_DEPTH) throw new UnsupportedSyntax("nested groups");
    this.#words.at++;
    const group = this.#readList(end);
    this.#depth--;
    if (this.#peek() !== end || group.lists.length === 0) throw new UnsupportedSyntax(`an unexpected ${end}`);
    this.#words.at++;
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
    if (last !== undefined && /^\{\w+\}$/.test(last.text) && /[<>]/.test(this.#peek()))
      throw new UnsupportedSyntax("a named stream");
  }

  /** Skips a condition `[[ … ]]`, which has operators of its own. */
  #skipCondition(): number {
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
    const isLiteral = /["'\\]/.test(this.#text.slice(from, to));
    this.#pendingDocuments.push({ end: text, isLiteral, stripsTabs });
  }

  /** Skips blanks, comments and line ends, and the texts of here-documents that begin after a line end. */
  #skipNewlines(): void {
    for (this.#skipBlanks(); this.#peek() === "\n"; this.#skipBlanks()) {
      this.#words.at++;
      for (const document of this.#pendingDocuments.splice(0)) {
        const body = findDocumentBody(this.#text, this.#words.at, document);
        const text = this.#text.slice(this.#words.at, body?.end ?? 0);
        if (body === undefined || (!document.isLiteral && /`|\$\(/.test(text)))
          throw new UnsupportedSyntax("a here document");
        this.#words.at = body.next;
      }
    }
  }

  #skipBlanks(): void {
    BLANKS.lastIndex = this.#words.at;
    BLANKS.exec(this.#text);
    this.#words.at = BLANKS.lastIndex;
    const isStart = this.#words.at === 0 || /[\s;&|()]/.test(this.#text.charAt(this.#words.at - 1));
    if (this.#peek() !== "#" || !isStart) return;
    const end = this.#text.indexOf("\n", this.#words.at);
    this.#words.at = end < 0 ? this.#text.length : end;
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
