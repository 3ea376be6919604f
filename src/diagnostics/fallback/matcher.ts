import type { Found, Line, Sink } from "../tool.ts";
import { codeFirst } from "./finding.ts";
import { errorLine, withReason } from "./error-lines.ts";
import { readPlaced } from "./locations.ts";
import { SnippetReader } from "./snippets.ts";
import { TableReader } from "./tables.ts";
import { TraceReader } from "./traces.ts";

export interface FallbackSinks {
  /** Receives diagnostics that are certain. */
  readonly sure: Sink;
  /** Receives diagnostics that are used only if no known tool explains the failure. */
  readonly fallback: Sink;
}

/** Upper bound on the lines of a message that is printed below its location. */
const MAX_CONTINUATION = 30;

/** Upper bound on lines marked as errors that are held back because a stack trace may follow them. */
const MAX_WAITING = 50;

/**
 * Reads lines that no tool's parser accepts: locations, stack traces, and lines marked as errors. Each channel (the
 * output of one package, service or job) has its own matcher.
 */
export class FallbackMatcher {
  readonly #sinks: FallbackSinks;
  readonly #traces: TraceReader;
  readonly #snippets: SnippetReader;
  readonly #tables = new TableReader();
  #waiting: { readonly text: string; readonly message: string }[] = [];
  /** A location whose message is on the indented lines below it. */
  #open: { readonly found: Found; readonly message: string[] } | undefined;

  constructor(sinks: FallbackSinks) {
    this.#sinks = sinks;
    this.#snippets = new SnippetReader((found) => sinks.sure.diagnostic(found));
    this.#traces = new TraceReader((found, head) => {
      // The line above the stack frames that names the error belongs to the trace, so it is not reported separately.
      this.#waiting = this.#waiting.filter((one) => !head.includes(one.text));
      sinks.fallback.diagnostic(found);
    });
  }

  /** Returns whether the line contained a diagnostic that is certain. */
  take(line: Line): boolean {
    if (this.#open !== undefined && this.#continues(line.text)) return true;
    if (this.#takeSnippet(line.text)) return true;
    if (this.#traces.take(line.text)) return false;
    const placed = readPlaced(line.text);
    if (placed !== undefined) {
      if (!placed.isCertain) this.#sinks.fallback.diagnostic(placed.found);
      else if (placed.found.message === "") this.#open = { found: placed.found, message: [] };
      else if (mayContinue(line.text, placed.found.message))
        this.#open = { found: placed.found, message: [] };
      else this.#sinks.sure.diagnostic(placed.found);
      return placed.isCertain;
    }
    const row = this.#tables.read(line.text);
    if (row !== undefined && row !== "heading") {
      this.#sinks.sure.diagnostic(row);
      return true;
    }
    const before = this.#waiting.at(-1);
    const whole = before === undefined ? undefined : withReason(before.message, line.text);
    if (before !== undefined && whole !== undefined) {
      this.#waiting[this.#waiting.length - 1] = { text: before.text, message: whole };
      return false;
    }
    const message = errorLine(line);
    if (message !== undefined) {
      if (this.#waiting.length >= MAX_WAITING) this.#flush();
      this.#waiting.push({ text: line.text.trimEnd(), message });
    }
    return false;
  }

  /**
   * Returns whether the line belongs to a diagnostic that quotes source code. The line with that diagnostic's message
   * is then not reported separately.
   */
  #takeSnippet(text: string): boolean {
    const snippet = this.#snippets.take(text);
    if (snippet?.head !== undefined)
      this.#waiting = this.#waiting.filter((one) => one.text !== snippet.head?.trimEnd());
    return snippet !== undefined;
  }

  /** Called when a known tool accepted a line; a diagnostic that is being read here cannot continue after it. */
  interrupt(): void {
    if (this.#open !== undefined) this.#close();
    this.#snippets.end();
    this.#traces.interrupt();
    if (this.#waiting.length > 0) this.#flush();
  }

  end(): void {
    this.#close();
    this.#snippets.end();
    this.#traces.end();
    this.#flush();
  }

  #flush(): void {
    for (const { message } of this.#waiting) this.#sinks.fallback.diagnostic({ severity: "error", message });
    this.#waiting = [];
  }

  #continues(text: string): boolean {
    const open = this.#open;
    if (open !== undefined && /^\s*[\^~]+\s*$/.test(text)) {
      // The line above the `^` markers quotes source code, so it is not part of the message.
      if (open.message.length > 1 || open.found.message !== "") open.message.pop();
      this.#close();
      return true;
    }
    if (open !== undefined && /^\s+\S/.test(text) && open.message.length < MAX_CONTINUATION) {
      open.message.push(text.trimEnd());
      return true;
    }
    this.#close();
    return false;
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    const { message: head } = open.found;
    if (open.message.length === 0) {
      if (head !== "") this.#sinks.sure.diagnostic(open.found);
      return;
    }
    const margin = Math.min(...open.message.map((line) => line.length - line.trimStart().length));
    const message = open.message.map((line) => line.slice(margin)).join("\n");
    const whole = head === "" ? codeFirst(message) : { message: `${head}\n${message}` };
    this.#sinks.sure.diagnostic({ ...open.found, ...whole });
  }
}

/**
 * Returns whether the message may continue on the next lines: a list follows a colon (`… are not documented:`), and compilers that quote the file
 * name wrap their messages.
 */
function mayContinue(line: string, message: string): boolean {
  return /[a-z]:$/.test(message) || /^"[^"]{1,300}", line \d/.test(line);
}
