import { drafting } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const php = defineBuildTool({
  id: "php",
  title: "PHP",
  url: "https://www.php.net",
  ecosystem: "php",
  kinds: ["run", "lint"],
  signatures: [
    "Fatal error: ",
    "Parse error: ",
    "PHP Warning: ",
    "PHP Notice: ",
    "PHP Deprecated: ",
    " on line ",
    "No syntax errors detected",
  ],
  priority: 5,
  parser: (sink) => new PhpParser(sink),
});

const HEADER =
  /^(?:\[[^\]]{1,60}\] ){0,4}(?:PHP )?(Fatal error|Parse error|Recoverable fatal error|Catchable fatal error|Warning|Deprecated|Notice|Strict Standards|Core Warning|Compile Error): {1,3}(.*)$/;
const PLACED = /^(.*) in (.{1,1000}?)(?: on line (\d{1,9})|:(\d{1,9}))$/;
const THROWN = /^ {2}thrown in .{1,1000} on line \d{1,9}$/;
const NEXT = /^Next (.*)$/;
const FRAME = /^#\d{1,6} /;
const CLOSING = /^(?:Errors parsing .*|No syntax errors detected in .*)$/;
/** Upper bound on the lines over which a fatal error is spread. */
const MAX_WRAPPED = 3;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  Warning: "warning",
  "Core Warning": "warning",
  Deprecated: "warning",
  Notice: "info",
  "Strict Standards": "info",
};

/** Reads PHP's own messages: syntax errors, warnings, uncaught exceptions. */
class PhpParser implements LineParser {
  readonly #drafts;
  #part: "none" | "message" | "trace" = "none";
  /**
   * The lines of a fatal error that does not name its location on its first line. They are accepted only with the line
   * that does, because other programs print `Fatal error: ` too.
   */
  #wrapped: string[] | undefined;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const header = text.includes(": ") ? HEADER.exec(text) : null;
    if (header !== null) {
      this.#wrapped = undefined;
      return this.#readHeader(header);
    }
    if (this.#wrapped !== undefined && this.#readWrapped(this.#wrapped, text)) return true;
    if (this.#part !== "none" && this.#continues(text)) return true;
    this.#drafts.close();
    this.#part = "none";
    return CLOSING.test(text);
  }

  end(): void {
    this.#drafts.close();
  }

  #readHeader([, word = "", rest = ""]: RegExpExecArray): boolean {
    const placed = PLACED.exec(rest);
    const uncaught = rest.startsWith("Uncaught ");
    if (placed === null && !uncaught) {
      if (/error$/i.test(word)) this.#wrapped = [rest.trim()];
      return false;
    }
    this.#drafts.open({ severity: SEVERITIES[word] ?? "error" });
    this.#add(rest);
    this.#part = placed === null ? "message" : uncaught ? "trace" : "none";
    if (this.#part === "none") this.#drafts.close();
    return true;
  }

  #readWrapped(lines: string[], text: string): boolean {
    lines.push(text.trim());
    const whole = lines.filter((line) => line !== "").join(" ");
    const isPlaced = PLACED.test(whole);
    if (isPlaced || lines.length > MAX_WRAPPED) this.#wrapped = undefined;
    if (!isPlaced) return false;
    this.#drafts.open({ severity: "error" });
    this.#add(whole);
    this.#drafts.close();
    return true;
  }

  #add(text: string): void {
    const draft = this.#drafts.current;
    if (draft === undefined) return;
    const placed = PLACED.exec(text);
    draft.message.push(placed?.[1] ?? text);
    if (placed !== null)
      draft.found = { ...draft.found, file: placed[2] ?? "", line: Number(placed[3] ?? placed[4]) };
  }

  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (THROWN.test(text)) {
      this.#drafts.close();
      this.#part = "none";
      return true;
    }
    if (this.#part === "message") {
      this.#add(text);
      if (draft.found.file !== undefined) this.#part = "trace";
      return draft.message.length < 200;
    }
    const next = NEXT.exec(text)?.[1];
    const placed = next === undefined ? null : PLACED.exec(next);
    if (placed !== null)
      draft.related.push({
        file: placed[2] ?? "",
        line: Number(placed[3] ?? placed[4]),
        message: placed[1] ?? "",
      });
    return placed !== null || text === "Stack trace:" || FRAME.test(text) || text.trim() === "";
  }
}
