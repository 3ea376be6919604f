import { drafting } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { isForeignRuby, rubyFrame } from "../../traces/ruby-trace.ts";

export const ruby = defineBuildTool({
  id: "ruby",
  title: "Ruby",
  url: "https://www.ruby-lang.org",
  ecosystem: "ruby",
  kinds: ["run", "lint"],
  signatures: [":in `", ":in '", ": syntax error", ".rb:", "-e:", "Syntax OK"],
  priority: -5,
  parser: (sink) => new RubyParser(sink),
});

/** Matches `crash.rb:8:in 'outer': could not run (RuntimeError)`. */
const RAISED = /^(.{1,1000}?):(\d{1,9}):in [`'](.{1,300}?)': (.*) \(([A-Z]\w*(?:::\w+)*)\)$/;
/** Matches a syntax error; before Ruby 3.4 each is one line. */
const SYNTAX =
  /^(?:ruby: )?(\S.{0,1000}?\.(?:rb|rake|ru|gemspec)|-e|Rakefile|Gemfile):(\d{1,9}): (?:(warning): )?(.*)$/;
const SYNTAX_TEXT =
  /^(?:syntax errors?\b|unterminated |unexpected |Invalid |dynamic constant|formal argument|numeric literal|class definition in|module definition in|Can't |can't |embedded document|unknown regexp|duplicated |void value|circular argument)/;
/** Matches Ruby 3.4's code frame: `> 3 |     puts "x`, and below it `    |      ^ unterminated string`. */
const MARKED = /^> {1,8}(\d{1,9}) \| /;
const COMPLAINT = /^ {1,12}\| ( *)[\^~]+ (.+)$/;
const SORBET = /^(\S.{0,1000}?\.rbi?):(\d{1,9}): (.*) (https:\/\/srb\.help\/(\d{4}))$/;
const FROM = /^\s+(?:\d+: )?from (.*)$/;
const CLOSING = /^(?:Syntax OK|Traceback \(most recent call last\):)$/;

/** Reads the Ruby interpreter's syntax errors, warnings and uncaught exceptions. */
class RubyParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;
  #before: string[] = [];
  #prism: { file: string; line: number } | undefined;
  #isException = false;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const raised = text.includes(":in ") ? RAISED.exec(text) : null;
    if (raised !== null) return this.#raise(raised);
    const from = FROM.exec(text)?.[1];
    if (from !== undefined && (this.#isException || /\d+: from/.test(text))) return this.#readFrom(from);
    const sorbet = text.includes("https://srb.help/") ? SORBET.exec(text) : null;
    if (sorbet !== null) {
      const [, file = "", line, message = "", url = "", code = ""] = sorbet;
      this.#close();
      this.#drafts.open({ severity: "error", tool: "sorbet", file, line: Number(line), code, url }, message);
      return true;
    }
    const syntax = SYNTAX.exec(text);
    if (syntax !== null && this.#readSyntax(syntax)) return true;
    if (this.#prism !== undefined && this.#readPrismLine(text)) return true;
    if (this.#continues(text)) return true;
    this.#close();
    return CLOSING.test(text);
  }

  end(): void {
    this.#close();
  }

  #close(): void {
    this.#drafts.close();
    this.#isException = false;
    this.#before = [];
    this.#prism = undefined;
  }

  #raise(match: RegExpExecArray): boolean {
    const [, file = "", line, , message = "", type = ""] = match;
    const frame = { file, line: Number(line) };
    const current = this.#drafts.current;
    // An error directly after an exception's stack trace is the cause of that exception.
    if (this.#isException && current !== undefined) {
      current.related.push({ ...frame, message: `${message} (${type})` });
      return true;
    }
    const nested = /^(\S.*?\.rb):(\d+): (.*)$/.exec(message);
    const own = isForeignRuby(frame)
      ? this.#before.map(rubyFrame).find((one) => one !== undefined && !isForeignRuby(one))
      : frame;
    const place =
      nested === null || type !== "SyntaxError" ? own : { file: nested[1] ?? "", line: Number(nested[2]) };
    this.#drafts.open({ severity: "error", ...place }, `${message} (${type})`);
    this.#isException = true;
    this.#before = [];
    return true;
  }

  #readFrom(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) {
      this.#before.unshift(text);
      return true;
    }
    const frame = rubyFrame(text);
    if (draft.found.file === undefined && frame !== undefined && !isForeignRuby(frame))
      draft.found = { ...draft.found, ...frame };
    return true;
  }

  #readSyntax(match: RegExpExecArray): boolean {
    const [, file = "", line, warning, message = ""] = match;
    if (warning === undefined && !SYNTAX_TEXT.test(message)) return false;
    if (this.#isException && this.#drafts.current !== undefined) {
      this.#drafts.current.message.push(`${file}:${line ?? ""}: ${message}`);
      return true;
    }
    this.#close();
    if (/^syntax errors? found/.test(message)) this.#prism = { file, line: Number(line) };
    else
      this.#drafts.open(
        { severity: warning === undefined ? "error" : "warning", file, line: Number(line) },
        message,
      );
    return true;
  }

  #readPrismLine(text: string): boolean {
    const place = this.#prism;
    if (place === undefined) return false;
    const marked = MARKED.exec(text)?.[1];
    if (marked !== undefined) {
      place.line = Number(marked);
      return true;
    }
    const complaint = COMPLAINT.exec(text);
    if (complaint === null) return /^ {1,12}(?:\d+ )?\|/.test(text) || /^\s*~+$/.test(text);
    const column = (complaint[1] ?? "").length + 1;
    this.#sink.diagnostic({ severity: "error", ...place, column, message: complaint[2] ?? "" });
    return true;
  }

  /** Reads the source line and carets below a message, or the code extract below an exception. */
  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (this.#isException)
      return (
        text.trim() === "" ||
        /^\s*[\^~]+\s*$/.test(text) ||
        (/^\s*\S.*$/.test(text) && draft.message.length < 2 && this.#extract(text))
      );
    return /^\s+\S/.test(text);
  }

  #extract(text: string): boolean {
    return /^(?:\s|Did you mean\?)/.test(text);
  }
}
