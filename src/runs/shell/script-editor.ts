import { maskText } from "../../security/secrets/mask.ts";
import { firstCharacters } from "../../kernel/characters.ts";
import type { StageFrame } from "./recording-shell.ts";
import type { Span } from "../../shell/script-syntax.ts";

interface Edit extends Span {
  readonly text: string;
}

/** Collects edits of a script and applies them at the end. */
export class ScriptEditor {
  readonly text: string;
  #edits: Edit[] = [];
  #isChanged = false;

  constructor(text: string) {
    this.text = text;
  }

  replace({ from, to }: Span, text: string): void {
    this.#edits.push({ from, to, text });
    this.#isChanged = true;
  }

  /**
   * Inserts text before and after a part of the script. `isChange` is false if the insertion is needed only together
   * with other edits.
   */
  surround({ from, to }: Span, { before, after }: StageFrame, isChange: boolean): void {
    this.#edits.push({ from, to: from, text: before }, { from: to, to, text: after });
    this.#isChanged ||= isChange;
  }

  /**
   * Calls a function that makes edits, and keeps them only if one of them is a real change. Returns whether there was
   * one.
   */
  attempt(edit: () => void): boolean {
    const wasChanged = this.#isChanged;
    const count = this.#edits.length;
    this.#isChanged = false;
    edit();
    const isChanged = this.#isChanged;
    if (!isChanged) this.#edits.length = count;
    this.#isChanged ||= wasChanged;
    return isChanged;
  }

  /**
   * The edited script; undefined if no real change was made. Of two edits at the same position, a pure insertion comes
   * first.
   */
  result(): string | undefined {
    if (!this.#isChanged) return undefined;
    let edited = "";
    let at = 0;
    for (const edit of this.#edits.sort((one, other) => one.from - other.from || one.to - other.to)) {
      edited += this.text.slice(at, edit.from) + edit.text;
      at = edit.to;
    }
    return edited + this.text.slice(at);
  }
}

const MAX_QUOTED = 60;

/** Quotes a part of a script on one line for a reply: shortened, and with secrets masked. */
export function quoteForReply(text: string): string {
  const line = maskText(text.replaceAll(/(?:\\\n|\s)+/g, " ").trim());
  return line.length > MAX_QUOTED ? `${firstCharacters(line, MAX_QUOTED)}…` : line;
}
