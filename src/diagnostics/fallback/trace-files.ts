import type { TraceFile } from "../../model/trace-file.ts";
import { readFrame } from "../traces/frames.ts";
import type { Line } from "../tool.ts";

/** Upper bound on the files of stack traces that are kept, and on the frames of one trace. */
const MAX_FILES = 2_000;
const MAX_FRAMES = 200;
/** Number of lines between two frames of one trace, such as quoted source, that do not end the trace. */
const MAX_GAP = 2;
/** Matches the lines that can be a stack frame; it is tested before the formats of all languages are tried. */
const MAY_BE_FRAME =
  /^\s*(?:at |File "|❯ |from |# |#\d)|\.(?:py|rb|go|php|ex|exs):\d+(?::(?:in\b|\d|\s|$)| |$|,)/;

/** The package of a Java class, of which the first two parts tell whose code it is: `com.acme`. */
const JAVA_CLASS = /^\s*at (?:[\w.@-]{1,200}\/{1,2}){0,2}((?:[\w$]{1,100}\.){1,2})/;

interface TraceFrame {
  readonly file: string;
  readonly line: number | undefined;
  readonly owner: string | undefined;
}

/**
 * Collects the files of the project that occur in stack traces, whichever tool printed them. The place of a failure is only the first frame of a
 * trace, but the fault is often further down.
 */
export class TraceFiles {
  readonly #files = new Map<string, TraceFile>();
  #trace: TraceFrame[] = [];
  #lastFrame = 0;

  /** Takes a line of output. It is called for every line, so lines that cannot be a frame are recognised quickly. */
  take({ text, number }: Line): void {
    if (text.length > 1_000 || !MAY_BE_FRAME.test(text)) return;
    const frame = readFrame(text);
    if (frame === undefined) return;
    if (number - this.#lastFrame > MAX_GAP + 1) this.#close();
    this.#lastFrame = number;
    if (!frame.isOwn || this.#trace.length >= MAX_FRAMES) return;
    const { file, line } = frame.place;
    this.#trace.push({ file, line, owner: JAVA_CLASS.exec(text)?.[1] });
  }

  /** Returns the files, those in most traces first. */
  files(): TraceFile[] {
    this.#close();
    return [...this.#files.values()].sort((one, other) => other.traces - one.traces);
  }

  #close(): void {
    const trace = this.#trace;
    this.#trace = [];
    // The outermost frame is the test or the program itself, so classes of its owner are the project's and others are of libraries.
    const { owner } = trace.at(-1) ?? {};
    const known = new Set<string>();
    for (const frame of trace) {
      if (frame.owner !== owner || known.has(frame.file)) continue;
      known.add(frame.file);
      this.#add(frame);
    }
  }

  #add({ file, line }: TraceFrame): void {
    const before = this.#files.get(file);
    if (before === undefined && this.#files.size >= MAX_FILES) return;
    this.#files.set(file, {
      file,
      ...(line === undefined ? {} : { line: before?.line ?? line }),
      traces: (before?.traces ?? 0) + 1,
      seenAt: this.#lastFrame,
    });
  }
}
