import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

/** `ci.yml:7:24: text [expression]`, below it the source line and a mark. */
const COMPLAINT =
  /^(\S.{0,1000}?\.ya?ml):(\d{1,9}):(\d{1,9}):? (.{1,8000}) \[ ?(action|credentials|deprecated-commands|env-var|events?|expression|glob|id|if-cond|job-needs|matrix|permissions|pyflakes|reusable-workflow|runner-label|shell-name|shellcheck|syntax-check|workflow-call|action-metadata-file)(?: [^\]]{0,40})?\]$/;
const FRAME = /^(?:> ?)? {0,8}\d{0,7} \||^ {1,10}\|/;

/** Reads actionlint's default output. */
export class ActionlintParser implements LineParser {
  readonly #drafts;

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const match = text.endsWith("]") ? COMPLAINT.exec(text) : null;
    if (match !== null) {
      const [, file = "", line, column, message = "", code = ""] = match;
      this.#drafts.open(
        { severity: "error", file, line: Number(line), column: Number(column), code },
        message,
      );
      return true;
    }
    if (this.#drafts.current !== undefined && FRAME.test(text)) return true;
    this.#drafts.close();
    return false;
  }

  end(): void {
    this.#drafts.close();
  }
}
