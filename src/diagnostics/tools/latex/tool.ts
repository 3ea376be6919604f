import { drafting } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const latex = defineBuildTool({
  id: "latex",
  title: "LaTeX and latexmk",
  url: "https://www.latex-project.org",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [
    "This is pdfTeX",
    "TeX, Version ",
    "LaTeX Warning: ",
    "LaTeX Error: ",
    "Latexmk: ",
    "! Undefined control",
  ],
  priority: 6,
  parser: (sink) => new LatexParser(sink),
  commands: [
    {
      name: "latexmk",
      description: "Build the documents",
      detect: (folder) => (folder.has("*.tex") ? "it has .tex files" : undefined),
      argv: () => ["latexmk", "-pdf", "-interaction=nonstopmode", "-file-line-error"],
    },
  ],
});

const ERROR = /^! {1,2}(?!==>)(\S.*)$/;
/** Matches an error in the format of TeX's option `-file-line-error`. */
const PLACED = /^(\S.{0,500}?\.(?:tex|ltx|sty|cls|def|bbl|dtx|tikz|cfg)):(\d{1,9}): (.+)$/;
const AT = /^l\.(\d{1,9}) ?/;
const WARNING =
  /^(?:(?:La|pdf|Lua|Xe)?TeX|LaTeX (?:Font|hooks)|(?:Package|Class|Module) [\w.-]{1,80}) [Ww]arning(?: \([^()]{1,40}\))?: (.*)$/;
const INPUT_LINE = / on input line (\d{1,9})\.?$/;
/** Matches a further line of a package's message: `(hyperref)                removing…`. */
const MORE = /^\([\w.-]{1,80}\) {2,}(\S.*)$/;
const BOX =
  /^((?:Over|Under)full \\[hv]box \([^()]{1,80}\)) (?:in (?:paragraph|alignment) at lines (\d{1,9})--(\d{1,9})|detected at line (\d{1,9})|has occurred.*)$/;
/** Matches messages that only report that there were errors. */
const DERIVED =
  /^!? *==> Fatal error occurred|^Emergency stop\.|^Latexmk: (?:Errors,|All targets)|^Collected error summary/;
const NOISE =
  /^(?:This is \w*TeX, Version |Latexmk: |Transcript written on |Output written on |LaTeX2e <|\?$)/;
const UNDEFINED = "Undefined control sequence.";
/** Width at which TeX breaks its lines, even inside a word. */
const WIDTH = 79;
/** Upper bound on the lines between an error and its location. */
const MAX_CONTEXT = 30;

type Part = "none" | "error" | "context" | "warning";

/** Reads TeX's output: errors with their location, warnings, and boxes that do not fit. */
class LatexParser implements LineParser {
  readonly #drafts;
  readonly #files = new OpenFiles();
  #part: Part = "none";
  #age = 0;
  #errors = 0;
  #isWrapped = false;

  constructor(sink: Sink) {
    this.#drafts = drafting({ ...sink, diagnostic: (found) => sink.diagnostic(placedByMessage(found)) });
  }

  take({ text }: Line): boolean {
    if (this.#isWrapped && text !== "") return this.#unwrap(text);
    if (this.#readError(text) || this.#readWarning(text)) return true;
    if (this.#part === "warning") {
      const more = MORE.exec(text)?.[1];
      if (more !== undefined) {
        this.#drafts.current?.message.push(more);
        return true;
      }
      this.#close();
    }
    if (this.#part === "error" || this.#part === "context") return this.#readContext(text);
    this.#files.read(text);
    return NOISE.test(text) || DERIVED.test(text);
  }

  end(): void {
    this.#close();
  }

  #readError(text: string): boolean {
    const placed = text.includes(":") ? PLACED.exec(text) : null;
    const message = placed?.[3] ?? ERROR.exec(text)?.[1];
    if (message === undefined) return false;
    this.#close();
    if (DERIVED.test(message) && this.#errors > 0) return true;
    this.#errors++;
    const file = placed?.[1] ?? this.#files.current;
    this.#drafts.open(
      {
        severity: "error",
        ...(file === undefined ? {} : { file }),
        ...(placed === null ? {} : { line: Number(placed[2]) }),
      },
      message.replace(/^LaTeX Error: /, ""),
    );
    this.#part = "error";
    this.#age = 0;
    this.#isWrapped = text.length === WIDTH;
    return true;
  }

  /** Reads the lines below an error: help, what TeX was reading, the location, and the rest of that line. */
  #readContext(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || ++this.#age > MAX_CONTEXT) {
      this.#close();
      return false;
    }
    const more = MORE.exec(text)?.[1];
    if (this.#part === "error" && more !== undefined) draft.message.push(more);
    const at = this.#part === "error" ? AT.exec(text) : null;
    if (at !== null) {
      if (draft.found.line === undefined) draft.found = { ...draft.found, line: Number(at[1]) };
      // For an unknown command, TeX cuts the line directly after the command, so the command is at its end.
      const name = draft.message[0] === UNDEFINED ? /\\[A-Za-z@]{1,80}$/.exec(text.trimEnd()) : null;
      if (name !== null) draft.message[0] = `${UNDEFINED} ${name[0]}`;
      this.#part = "context";
    } else if (this.#part === "context") {
      // The rest of the source line, which TeX cuts at the error's location, is indented on the next line.
      const isRest = /^\s/.test(text);
      this.#close();
      if (!isRest) return this.take({ text, number: 0, stream: "stdout" });
    }
    return true;
  }

  #readWarning(text: string): boolean {
    const message = WARNING.exec(text)?.[1];
    const box = message === undefined && text.includes("full \\") ? BOX.exec(text) : null;
    if (message === undefined && box === null) return false;
    this.#close();
    const file = this.#files.current;
    const at = file === undefined ? {} : { file };
    if (box !== null) {
      const [, what = "", from, to, line = from] = box;
      const place = line === undefined ? {} : { line: Number(line) };
      const end = to === undefined ? {} : { endLine: Number(to) };
      this.#drafts.open({ severity: "info", ...at, ...place, ...end }, what);
      this.#close();
      return true;
    }
    this.#drafts.open({ severity: "warning", ...at }, message ?? "");
    this.#part = "warning";
    this.#isWrapped = text.length === WIDTH;
    return true;
  }

  #unwrap(text: string): boolean {
    const message = this.#drafts.current?.message;
    message?.push(`${message.pop() ?? ""}${text}`);
    this.#isWrapped = text.length === WIDTH;
    return true;
  }

  #close(): void {
    this.#drafts.close();
    this.#part = "none";
    this.#isWrapped = false;
  }
}

/** Sets the location of a warning to the line number at the end of its text. */
function placedByMessage<T extends { readonly message: string; readonly line?: number }>(found: T): T {
  const at = found.line === undefined ? INPUT_LINE.exec(found.message) : null;
  if (at === null) return found;
  return { ...found, line: Number(at[1]), message: found.message.slice(0, at.index) };
}

const OPENED = /^\(("?)((?:[A-Za-z]:)?[^\s()"<>|*?{}]{1,500}\.[A-Za-z]\w{0,7})\1(?=[\s()]|$)/;
/** Upper bound on nested files, so that unbalanced brackets in text cannot grow the stack. */
const MAX_DEPTH = 200;

/** Tracks TeX's open files: it prints `(` and the name when it opens one, and `)` when it closes it. */
class OpenFiles {
  readonly #stack: (string | undefined)[] = [];

  get current(): string | undefined {
    return this.#stack.findLast((file) => file !== undefined);
  }

  read(text: string): void {
    if (text.length > 4_000) return;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === ")") this.#stack.pop();
      if (text[at] !== "(" || this.#stack.length >= MAX_DEPTH) continue;
      this.#stack.push(OPENED.exec(text.slice(at, at + 520))?.[2]);
    }
  }
}
