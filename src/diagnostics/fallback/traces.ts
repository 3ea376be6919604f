import { readFrame } from "../traces/frames.ts";
import type { Frame } from "../traces/frames.ts";
import type { Found } from "../tool.ts";

/** Matches the line above the stack frames that names an error in JavaScript, Java and C#. */
const HEAD =
  /^\s*(?:\[\w{1,20}\] ?)?(?:Uncaught |Unhandled rejection |Unhandled exception\. |Exception in thread "[^"]{0,100}" |error: )?((?:[\w$-]{1,100}[.:]){0,12}[\w$]{0,80}(?:Error|Exception|Throwable))(?: \[\w{1,60}\])?(?:: |$)/;
const PYTHON_START = /^\s*Traceback \(most recent call last\):$/;
const PYTHON_END =
  /^\s*((?:[\w]{1,80}\.){0,8}[A-Z]\w{0,80}(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Fault)?)(?:: (.*))?$/;
const GO_PANIC = /^(?:panic: |fatal error: )(.+)$/;
const GO_ROUTINE = /^goroutine \d+ \[/;
const CHAIN =
  /^\s*(?:Caused by: |Suppressed: |\.\.\. \d+ (?:more|common frames omitted)|--- End of |\[cause\]: )/;

/**
 * Upper bound on lines between an error's name and the first frame of its stack trace; messages may span several lines.
 */
const LOOK_BACK = 25;
/** Upper bound on the frames of a stack trace that are read; the important ones come first. */
const MAX_FRAMES = 200;

interface Trace {
  readonly kind: "script" | "python" | "go";
  readonly message: string[];
  readonly frames: Frame[];
  lines: number;
}

/** Reads stack traces of uncaught errors and reports one diagnostic each, at the first frame inside the project. */
export class TraceReader {
  readonly #report: (found: Found, head: readonly string[]) => void;
  #recent: string[] = [];
  #trace: Trace | undefined;
  /** True if the previous line was a stack frame of a trace in which no line names the error. */
  #isOrphaned = false;

  /** `report` receives the diagnostic and also the lines that named the error. */
  constructor(report: (found: Found, head: readonly string[]) => void) {
    this.#report = report;
  }

  /** Returns whether the line belongs to a stack trace. */
  take(text: string): boolean {
    if (this.#trace !== undefined) {
      if (this.#continues(this.#trace, text)) return true;
      this.end();
    }
    if (this.#begins(text)) return true;
    // Stack frames of an error without a name must not be taken for the lines that name the next error.
    if (this.#isOrphaned) return false;
    this.#recent.push(text);
    if (this.#recent.length > LOOK_BACK) this.#recent.shift();
    return false;
  }

  /** Called when a known tool accepted a line; lines before it cannot name the error of a later stack trace. */
  interrupt(): void {
    if (this.#trace !== undefined) this.end();
    if (this.#recent.length > 0) this.#recent = [];
  }

  end(): void {
    const trace = this.#trace;
    this.#trace = undefined;
    if (trace === undefined || trace.message.length === 0) return;
    const frames = trace.kind === "python" ? trace.frames.toReversed() : trace.frames;
    const place = frames.find((frame) => frame.isOwn)?.place;
    const message = trace.message.join("\n").trim();
    this.#report({ severity: "error", ...place, message }, trace.message);
  }

  #begins(text: string): boolean {
    if (PYTHON_START.test(text)) return this.#start("python", []);
    if (text.startsWith("panic: ") || text.startsWith("fatal error: ")) {
      const panic = GO_PANIC.exec(text);
      if (panic !== null && !/\.\w+:\d/.test(text)) return this.#start("go", [text]);
    }
    if (!/^\s+(?:at|File) /.test(text) && !text.startsWith("at ")) {
      this.#isOrphaned = false;
      return false;
    }
    if (this.#isOrphaned) return false;
    const frame = readFrame(text);
    if (frame === undefined) return false;
    if (text.trimStart().startsWith("File ")) return this.#start("python", [], frame);
    const head = this.#recent.findLastIndex((line) => HEAD.test(line));
    this.#isOrphaned = head < 0;
    if (head < 0) return false;
    return this.#start(
      "script",
      this.#recent.slice(head).map((line) => line.trimEnd()),
      frame,
    );
  }

  #start(kind: Trace["kind"], message: string[], frame?: Frame): boolean {
    this.#trace = { kind, message, frames: frame === undefined ? [] : [frame], lines: 0 };
    this.#recent = [];
    return true;
  }

  #continues(trace: Trace, text: string): boolean {
    if (++trace.lines > MAX_FRAMES * 2) return false;
    const frame = readFrame(text);
    if (frame !== undefined && trace.frames.length < MAX_FRAMES) {
      trace.frames.push(frame);
      return true;
    }
    if (trace.kind === "python") return this.#python(trace, text);
    if (trace.kind === "go") return this.#go(trace, text);
    if (/^\s+at /.test(text)) return true;
    if (!CHAIN.test(text)) return false;
    if (/^\s*(?:Caused by: |\[cause\]: )/.test(text)) trace.message.push(text.trim());
    return true;
  }

  #python(trace: Trace, text: string): boolean {
    if (/^\s{4,}/.test(text) || text.trim() === "") return trace.message.length === 0;
    const end = PYTHON_END.exec(text);
    if (end === null || trace.message.length > 0) return false;
    trace.message.push(text.trim());
    return true;
  }

  #go(trace: Trace, text: string): boolean {
    if (text.trim() === "") return trace.frames.length === 0;
    if (GO_ROUTINE.test(text) || text.startsWith("[signal ") || text.startsWith("\t")) return true;
    return trace.lines > 1 && /^[\w./*()]+.*\(.*\)$|^created by |^exit status /.test(text);
  }
}
