import type { Severity } from "../../model/diagnostic.ts";
import { colonPlace } from "../parsing/place.ts";
import type { Found } from "../tool.ts";
import { severityOf } from "./finding.ts";
import { looksLikePath } from "./paths.ts";

/** Matches `error[E1]: message`, the line above an arrow with the location. */
const HEAD =
  /^\s{0,4}(?:\S{1,2} )?(?:DEPRECATION )?(error|warning|info|note|hint|fatal|Error|Warning|Info|Note|Hint|ERROR|WARNING)(?: ?\[([\w:.@/-]{1,80})\]| ([A-Z]{1,4}\d{2,5}))?: (\S.*)$/;
const ARROW = /^\s*(?:-->|==>|┌─|╭─|,-|╭─+>)\s?\[?\s?(\S{1,300}:\d{1,7}(?::\d{1,5})?):?\s?\]?$/;
/** Matches Sass's location below the code: `  scss/_grid.scss 36:24  root stylesheet`. */
const SASS = /^\s{2,6}(\S.{0,300}\.(?:scss|sass|css)) (\d{1,7}):(\d{1,5}) {2,80}\S/;
/** Matches Nix's location; the colon after it distinguishes it from a stack frame. */
const AT = /^\s+at (\S{1,300}:\d{1,7}:\d{1,5}):$/;
/** Matches a line of the source code quoted below the location, with the margin before it. */
const FRAME = /^\s*\d{0,7}\s{0,2}[|│┃╷╵·¦╰╯]|^\s*\^[\^~-]*$/;
const HELP = /^\s*(?:= )?(?:help|hint|note|suggestion): (\S.*)$/i;

/** Upper bound on lines between a diagnostic's message and its location. */
const MAX_DISTANCE = 3;
/** The same bound for deprecations of Sass, which prints a longer explanation before the code. */
const MAX_EXPLAINED = 12;
const MAX_FRAME = 60;

interface Head {
  readonly text: string;
  readonly severity: Severity;
  readonly message: string;
  readonly code: string | undefined;
  /** Upper bound on lines between the message and its location, not counting quoted code. */
  readonly maxDistance: number;
  age: number;
}

/** Reads diagnostics that quote the code in the style of rustc: the message, an arrow with the location, the code. */
export class SnippetReader {
  #head: Head | undefined;
  #frame = 0;
  #open: { readonly found: Found; readonly head: string; readonly help: string[] } | undefined;
  readonly #report: (found: Found) => void;

  constructor(report: (found: Found) => void) {
    this.#report = report;
  }

  /**
   * Returns undefined if the line does not belong to a diagnostic that quotes code. If the line has the location,
   * `head` is the line above it that has the message.
   */
  take(text: string): { readonly head?: string } | undefined {
    if (this.#frame > 0 && this.#continues(text)) return {};
    const place = this.#head === undefined ? undefined : readPlace(text);
    if (this.#head !== undefined && place !== undefined) return this.#start(this.#head, place);
    this.#close();
    const head = HEAD.exec(text);
    if (head !== null) this.#head = headOf(text, head);
    else if (this.#head !== undefined && !FRAME.test(text) && ++this.#head.age > this.#head.maxDistance)
      this.#head = undefined;
    return undefined;
  }

  end(): void {
    this.#close();
    this.#head = undefined;
  }

  #start(head: Head, place: NonNullable<ReturnType<typeof colonPlace>>): { readonly head: string } {
    this.#close();
    const code = head.code === undefined ? {} : { code: head.code };
    const found = { severity: head.severity, ...place, ...code, message: head.message };
    this.#open = { found, head: head.text, help: [] };
    this.#head = undefined;
    this.#frame = MAX_FRAME;
    return { head: head.text };
  }

  #continues(text: string): boolean {
    this.#frame--;
    const help = HELP.exec(text);
    if (help !== null && this.#open !== undefined) {
      this.#open.help.push(help[1] ?? "");
      return true;
    }
    return FRAME.test(text) || readPlace(text) !== undefined;
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    this.#frame = 0;
    if (open === undefined) return;
    this.#report(open.help.length === 0 ? open.found : { ...open.found, help: open.help });
  }
}

function headOf(text: string, match: RegExpExecArray): Head {
  const [, word, bracketed, spaced, message = ""] = match;
  const maxDistance = text.startsWith("DEPRECATION ") ? MAX_EXPLAINED : MAX_DISTANCE;
  return {
    text,
    severity: severityOf(word) ?? "error",
    message,
    code: bracketed ?? spaced,
    maxDistance,
    age: 0,
  };
}

function readPlace(text: string): ReturnType<typeof colonPlace> {
  const [, file, line, column] = SASS.exec(text) ?? [];
  if (file !== undefined) return { file, line: Number(line), column: Number(column) };
  const at = (ARROW.exec(text) ?? AT.exec(text))?.[1];
  const place = at === undefined ? undefined : colonPlace(at.replace(/[\]:]+$/, ""));
  return place !== undefined && looksLikePath(place.file) ? place : undefined;
}
