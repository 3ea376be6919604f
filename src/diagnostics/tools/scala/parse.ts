import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { ScalaTests } from "./tests.ts";

const LEVEL = /^\[(error|warn|info)\](?: (.*))?$/;
const PLACED = /^(\S.{0,1000}?\.(?:scala|sbt|sc|java)):(\d{1,9}):(?:(\d{1,9}):)? (?:(error|warning): )?(.*)$/;
/** Scala 3: `-- [E007] Type Mismatch Error: src/Cart.scala:4:19 ----`. */
const NEW_HEAD =
  /^-- (?:\[(E\d{3})\] )?(.{1,200}?)(Error|Warning): (\S.{0,1000}?\.(?:scala|sbt|sc)):(\d{1,9}):(\d{1,9}) ?-*$/;
const GUTTER = /^ {0,8}\d{0,7} ?\|(.*)$/;
/** Scalastyle's own command line, and what sbt shows of a whole file. */
const SCALASTYLE =
  /^(error|warning) file=(.{1,1000}?) message=(.*?)(?: line=(\d{1,9}))?(?: column=(\d{1,9}))?$/;
const WHOLE_FILE = /^(\S.{0,1000}?\.scala): (?!\d)(.*)$/;
const CARET = /^\s*\^\s*$/;
const CLOSING =
  /^(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:errors?|warnings?) found|\d+ errors?|\(.{1,200}\) Compilation failed|Total time: .*)$/;
const SBT_CAUSE =
  /^(?:Not a valid (?:command|key|project ID): .*|sbt\.\S*Exception: .*|Error downloading .*|\(.{1,200}\) (?!Compilation failed|sbt\.TestsFailedException).*)$/;

/** Reads scalac, versions 2 and 3, alone and through sbt. */
export class ScalaParser implements LineParser {
  readonly #drafts;
  readonly #tests;
  #new = false;
  #anyError = false;
  #held: string | undefined;
  /** What sbt marked the open complaint's lines with. */
  #level: string | undefined;

  constructor(sink: Sink) {
    this.#drafts = drafting({
      ...sink,
      diagnostic: (found) => {
        this.#anyError ||= found.severity === "error";
        sink.diagnostic(found);
      },
    });
    this.#tests = new ScalaTests(sink);
  }

  take({ text }: Line): boolean {
    const match = text.startsWith("[") ? LEVEL.exec(text) : null;
    const level = match?.[1];
    const rest = match === null ? text : (match[2] ?? "");
    if (level !== this.#level && this.#drafts.current !== undefined) this.#close();
    this.#level = level;
    if (this.#header(rest, level) || this.#goesOn(rest)) return true;
    this.#close();
    if (this.#tests.take(rest, level)) return true;
    if (level === "error" && SBT_CAUSE.test(rest)) {
      // After errors the closing line only says that there were some.
      if (!this.#anyError || !rest.startsWith("(")) this.#drafts.open({ severity: "error" }, rest);
      return true;
    }
    return CLOSING.test(rest);
  }

  end(): void {
    this.#close();
    this.#tests.end();
  }

  #close(): void {
    this.#drafts.close();
    this.#held = undefined;
  }

  #header(text: string, level: string | undefined): boolean {
    const fresh = text.startsWith("-- ") ? NEW_HEAD.exec(text) : null;
    if (fresh !== null) {
      const [, code, kind = "", word, file = "", line, column] = fresh;
      // Scala 3 counts columns from 0.
      const place = { file, line: Number(line), column: Number(column) + 1 };
      const severity = word === "Warning" ? "warning" : "error";
      this.#drafts.open(
        { severity, ...place, ...(code === undefined ? {} : { code }) },
        `${kind}${word ?? ""}`.trim(),
      );
      this.#new = true;
      return true;
    }
    if (this.#style(text, level)) return true;
    const match = PLACED.exec(text);
    if (match === null || (match[4] === undefined && level !== "error" && level !== "warn")) return false;
    const [, file = "", line, column, word, message = ""] = match;
    const severity = word === "warning" || (word === undefined && level === "warn") ? "warning" : "error";
    const at = column === undefined ? {} : { column: Number(column) };
    this.#drafts.open({ severity, file, line: Number(line), ...at }, message);
    this.#new = false;
    this.#held = undefined;
    return true;
  }

  #style(text: string, level: string | undefined): boolean {
    const style = text.includes(" file=") ? SCALASTYLE.exec(text) : null;
    const whole = style === null && (level === "error" || level === "warn") ? WHOLE_FILE.exec(text) : null;
    if (style === null && whole === null) return false;
    const [, word, file = "", message = "", line, column] = style ?? [
      undefined,
      level,
      whole?.[1],
      whole?.[2],
    ];
    const at = {
      ...(line === undefined ? {} : { line: Number(line) }),
      ...(column === undefined ? {} : { column: Number(column) }),
    };
    this.#drafts.open({ severity: word === "error" ? "error" : "warning", file, ...at }, message);
    this.#drafts.close();
    return true;
  }

  #goesOn(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined || draft.found.file === undefined) return false;
    if (this.#new) return this.#gutter(text);
    if (CARET.test(text)) {
      if (draft.found.column === undefined) draft.found = { ...draft.found, column: text.indexOf("^") + 1 };
      this.#close();
      return true;
    }
    // Lines before the source are the message's; the last one before the caret is the source.
    if (this.#held !== undefined) draft.message.push(this.#held);
    this.#held = undefined;
    if (text.trim() === "" || draft.message.length > 30) return false;
    this.#held = text;
    return true;
  }

  #gutter(text: string): boolean {
    const draft = this.#drafts.current;
    const inside = GUTTER.exec(text)?.[1];
    if (draft === undefined || inside === undefined) return false;
    if (/^ {0,8}\d/.test(text) || inside.trim() === "" || /^\s*\^+\s*$/.test(inside)) return true;
    if (/longer explanation available|^\s*-{3,}/.test(inside)) return true;
    draft.message.push(inside.trim());
    return true;
  }
}
