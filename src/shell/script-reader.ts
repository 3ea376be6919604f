import { documentBody, type HereDocument } from "./here-document.ts";
import type { AndOrList, Pipeline, Redirection, Script, ScriptWord, Stage } from "./script-syntax.ts";
import { Unreadable, WordReader } from "./script-words.ts";

/** Words that begin what only a full shell grammar could follow. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac select function coproc { } !".split(" "),
);
/** Groups inside groups beyond this are not read. */
const MAX_DEPTH = 32;
const REDIRECTION = /(\d*)(&>>|&>|<<<|<<-|<<|<>|<&|>>|>&|>\||<|>)/y;
const END_OF_CONDITION = /\s\]\](?=[\s;&|)]|$)/y;
const BLANKS = /(?:[ \t]|\\\n)*/y;

/** Why a script could not be read, in words for the caller. */
export interface UnreadScript {
  readonly unread: string;
}

/**
 * Reads a script by a small grammar: simple commands with redirections and here documents, pipes, `&&`, `||`, `;`, groups.
 * Whatever lies outside it makes the whole script unread, because half an understanding would be a wrong one.
 */
export function readScript(text: string): Script | UnreadScript {
  try {
    return new ScriptReader(text).script();
  } catch (error) {
    if (error instanceof Unreadable) return { unread: error.message };
    throw error;
  }
}

/** A recursive descent over the text; each method begins and ends at the position `#words.at`. */
class ScriptReader {
  readonly #text: string;
  readonly #words: WordReader;
  #depth = 0;
  /** Here documents whose text begins at the next line. */
  #documents: HereDocument[] = [];

  constructor(text: string) {
    this.#text = text;
    this.#words = new WordReader(text, {
      bracketed: () => this.#list(")"),
      script: (inner) => new ScriptReader(inner).script(),
    });
  }

  script(): Script {
    if (this.#text.includes("\r")) throw new Unreadable("a carriage return");
    const script = this.#list("");
    if (this.#words.at < this.#text.length) throw new Unreadable(`an unexpected ${this.#peek()}`);
    if (this.#documents.length > 0) throw new Unreadable("a here document");
    return script;
  }

  /** The lists up to a closing bracket or brace, or to the end of the text. */
  #list(end: "" | ")" | "}"): Script {
    const lists: AndOrList[] = [];
    for (;;) {
      this.#newlines();
      if (this.#peek() === "" || this.#peek() === ")" || (end === "}" && this.#isBrace("}"))) break;
      lists.push(this.#andOr());
      this.#blanks();
      if (this.#peek() === "&") throw new Unreadable("a background &");
      if (this.#text.startsWith(";;", this.#words.at)) throw new Unreadable("an unexpected ;;");
      if (this.#peek() === ";") this.#words.at++;
      else if (this.#peek() !== "\n") break;
    }
    this.#blanks();
    return { lists };
  }

  #andOr(): AndOrList {
    const pipelines: Pipeline[] = [this.#pipeline()];
    for (;;) {
      this.#blanks();
      const joinedBy = (["&&", "||"] as const).find((one) => this.#text.startsWith(one, this.#words.at));
      if (joinedBy === undefined) return { pipelines };
      this.#words.at += 2;
      this.#newlines();
      pipelines.push({ ...this.#pipeline(), joinedBy });
    }
  }

  #pipeline(): Pipeline {
    this.#blanks();
    const isNegated = /^!(?=[ \t])/.test(this.#text.slice(this.#words.at, this.#words.at + 2));
    if (isNegated) this.#words.at++;
    const stages: Stage[] = [this.#stage()];
    for (;;) {
      this.#blanks();
      if (this.#peek() !== "|" || this.#text.startsWith("||", this.#words.at)) return { isNegated, stages };
      this.#words.at += this.#text.startsWith("|&", this.#words.at) ? 2 : 1;
      this.#newlines();
      stages.push(this.#stage());
    }
  }

  #stage(): Stage {
    this.#blanks();
    const from = this.#words.at;
    if (this.#text.startsWith("((", from)) throw new Unreadable("arithmetic");
    if (this.#peek() === "(") return this.#group(from, ")");
    if (this.#isBrace("{")) return this.#group(from, "}");
    return this.#simpleCommand(from);
  }

  #group(from: number, end: ")" | "}"): Stage {
    if (++this.#depth > MAX_DEPTH) throw new Unreadable("nested groups");
    this.#words.at++;
    const group = this.#list(end);
    this.#depth--;
    if (this.#peek() !== end || group.lists.length === 0) throw new Unreadable(`an unexpected ${end}`);
    this.#words.at++;
    const redirections: Redirection[] = [];
    for (;;) {
      const to = redirections.at(-1)?.to ?? this.#words.at;
      const next = this.#redirection();
      if (next === undefined) return { from, to, words: [], group, redirections };
      redirections.push(next);
    }
  }

  #simpleCommand(from: number): Stage {
    const words: ScriptWord[] = [];
    const redirections: Redirection[] = [];
    let to = from;
    for (;;) {
      const redirection = this.#redirection();
      if (redirection !== undefined) redirections.push(redirection);
      const word = redirection === undefined ? this.#words.read() : undefined;
      if (word !== undefined) words.push(word);
      if (word === undefined && redirection === undefined) break;
      to = this.#words.at;
      this.#refuse(words, word);
      if (words.length === 1 && word?.text === "[[") to = this.#condition();
    }
    if (words.length + redirections.length === 0)
      throw new Unreadable(`an unexpected ${this.#peek() || "end"}`);
    return { from, to, words, redirections };
  }

  #refuse(words: readonly ScriptWord[], last: ScriptWord | undefined): void {
    const [first] = words;
    const isPlain = first !== undefined && first.to - first.from === first.text.length;
    if (words.length === 1 && last === first && isPlain && KEYWORDS.has(first.text))
      throw new Unreadable(`"${first.text}"`);
    if (this.#peek() === "(") throw new Unreadable("a function or pattern in brackets");
    if (last !== undefined && /^\{\w+\}$/.test(last.text) && /[<>]/.test(this.#peek()))
      throw new Unreadable("a named stream");
  }

  /** `[[ … ]]` has operators of its own. */
  #condition(): number {
    while (this.#words.at < this.#text.length) {
      END_OF_CONDITION.lastIndex = this.#words.at;
      if (END_OF_CONDITION.test(this.#text)) {
        this.#words.at = END_OF_CONDITION.lastIndex;
        return this.#words.at;
      }
      this.#words.skipPart();
    }
    throw new Unreadable("a condition");
  }

  #redirection(): Redirection | undefined {
    this.#blanks();
    const from = this.#words.at;
    REDIRECTION.lastIndex = from;
    const [whole, digits = "", operator = ""] = REDIRECTION.exec(this.#text) ?? [];
    if (whole === undefined) return undefined;
    this.#words.at += whole.length;
    if (this.#peek() === "(") throw new Unreadable("a process substitution");
    this.#blanks();
    const target = this.#words.read();
    if (target === undefined) throw new Unreadable(`an unexpected ${operator}`);
    if (operator === "<<" || operator === "<<-") this.#expect(target, operator === "<<-");
    const stream = digits === "" ? {} : { stream: Number(digits) };
    return { from, to: target.to, operator, target, ...stream };
  }

  #expect({ text, from, to }: ScriptWord, stripsTabs: boolean): void {
    const isLiteral = /["'\\]/.test(this.#text.slice(from, to));
    this.#documents.push({ end: text, isLiteral, stripsTabs });
  }

  /** Blanks, comments and line ends, and the here documents that begin behind those. */
  #newlines(): void {
    for (this.#blanks(); this.#peek() === "\n"; this.#blanks()) {
      this.#words.at++;
      for (const document of this.#documents.splice(0)) {
        const body = documentBody(this.#text, this.#words.at, document);
        const text = this.#text.slice(this.#words.at, body?.end ?? 0);
        if (body === undefined || (!document.isLiteral && /`|\$\(/.test(text)))
          throw new Unreadable("a here document");
        this.#words.at = body.next;
      }
    }
  }

  #blanks(): void {
    BLANKS.lastIndex = this.#words.at;
    BLANKS.exec(this.#text);
    this.#words.at = BLANKS.lastIndex;
    const isStart = this.#words.at === 0 || /[\s;&|()]/.test(this.#text.charAt(this.#words.at - 1));
    if (this.#peek() !== "#" || !isStart) return;
    const end = this.#text.indexOf("\n", this.#words.at);
    this.#words.at = end < 0 ? this.#text.length : end;
  }

  /** A brace is a word of the grammar only where it stands alone. */
  #isBrace(brace: "{" | "}"): boolean {
    const next = this.#text.charAt(this.#words.at + 1);
    return this.#peek() === brace && (next === "" || (brace === "{" ? /\s/ : /[\s;&|)<>]/).test(next));
  }

  #peek(): string {
    return this.#text.charAt(this.#words.at);
  }
}
