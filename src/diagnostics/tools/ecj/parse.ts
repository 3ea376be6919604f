import type { Severity } from "../../../model/diagnostic.ts";
import { drafting } from "../../parsing/draft.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const HEAD = /^\s*\d{1,7}\. (ERROR|WARNING|INFO) in (.{1,1000}?) \(at line (\d{1,9})\)$/;
const CARETS = /^\s*\^+\s*$/;
const RULE = /^-{10,}$/;
const CLOSING = /^\d+ problems? \(.*\)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = { ERROR: "error", WARNING: "warning", INFO: "info" };

/** Reads the Eclipse compiler: the header, the source line, carets, the message up to a rule. */
export class EcjParser implements LineParser {
  readonly #drafts;
  #part: "source" | "carets" | "message" = "source";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const head = text.includes("(at line ") ? HEAD.exec(text) : null;
    if (head !== null) {
      const [, word = "", file = "", line] = head;
      this.#drafts.open({ severity: SEVERITIES[word] ?? "info", file, line: Number(line) });
      this.#part = "source";
      return true;
    }
    const draft = this.#drafts.current;
    if (RULE.test(text) || CLOSING.test(text)) {
      this.#drafts.close();
      return draft !== undefined || CLOSING.test(text);
    }
    if (draft === undefined) return false;
    if (this.#part === "source") this.#part = "carets";
    else if (this.#part === "carets" && CARETS.test(text)) this.#part = "message";
    else {
      this.#part = "message";
      draft.message.push(text.trim());
    }
    return draft.message.length < 40;
  }

  end(): void {
    this.#drafts.close();
  }
}
