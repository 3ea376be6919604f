import { settleLine, stripEscapes } from "../../diagnostics/clean/escapes.ts";
import { Redactor } from "../../security/redactor.ts";
import { MASK } from "../../security/secrets/mask.ts";
import type { OutputPart, StreamName, ViewLine } from "../../model/run.ts";
import type { LogSource, RawLine } from "../../logs/log-source.ts";

/** The largest filtered output that is kept; if there is more, the recorded output is shown instead. */
const MAX_VIEW_BYTES = 1024 * 1024;

/**
 * Keeps the output that the filters of a command line let through (as in `make | grep error`), if it differs from the
 * recorded output.
 */
export class ViewKeeper {
  readonly #lines: ViewLine[] = [];
  readonly #redactors = { stdout: new Redactor(), stderr: new Redactor() };
  readonly #rest: Record<StreamName, Buffer> = { stdout: NOTHING, stderr: NOTHING };
  #bytes = 0;
  #differs = false;

  write(stream: StreamName, chunk: Buffer, part: OutputPart): void {
    if (chunk.length === 0) return;
    this.#differs ||= part !== "both";
    if (part === "record" || this.#bytes > MAX_VIEW_BYTES) return;
    this.#bytes += chunk.length;
    this.#take(stream, this.#redactors[stream].push(chunk));
  }

  /**
   * Returns the lines of the filtered output; undefined if it equals the recorded output or is too long. Secrets that
   * were found in the recorded output are masked here too, since a filter may have removed the name or line by which
   * they are recognised.
   */
  end(secrets: readonly string[] = []): readonly ViewLine[] | undefined {
    if (!this.#differs || this.#bytes > MAX_VIEW_BYTES) return undefined;
    for (const stream of ["stdout", "stderr"] as const) {
      this.#take(stream, this.#redactors[stream].end());
      if (this.#rest[stream].length > 0) this.#add(stream, this.#rest[stream]);
    }
    return this.#lines.map((line) => ({ ...line, text: maskKnown(line.text, secrets) }));
  }

  #take(stream: StreamName, bytes: Buffer): void {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#add(stream, Buffer.concat([this.#rest[stream], bytes.subarray(from, end)]));
      this.#rest[stream] = NOTHING;
      from = end + 1;
    }
    this.#rest[stream] = Buffer.concat([this.#rest[stream], bytes.subarray(from)]);
  }

  #add(stream: StreamName, bytes: Buffer): void {
    this.#lines.push({ stream, text: settleLine(stripEscapes(bytes.toString("utf8"))) });
  }
}

const NOTHING = Buffer.alloc(0);
/**
 * The shortest secret that is searched for in the filtered output; the text of a shorter one may occur by coincidence.
 */
const MIN_SECRET_LENGTH = 8;

function maskKnown(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets)
    if (secret.length >= MIN_SECRET_LENGTH && masked.includes(secret))
      masked = masked.replaceAll(secret, MASK);
  return masked;
}

/** Makes the filtered output of a command line readable like a log. */
export function viewLog(view: readonly ViewLine[]): LogSource {
  const lines = view.map(({ stream, text }, i): RawLine => {
    return { number: i + 1, stream, bytes: Buffer.from(text), hidden: 0, hiddenIsExact: true };
  });
  return {
    totals: () => {
      const stderrLines = lines.filter(({ stream }) => stream === "stderr").length;
      const bytes = lines.reduce((sum, line) => sum + line.bytes.length + 1, 0);
      return Promise.resolve({
        lines: lines.length,
        stdoutLines: lines.length - stderrLines,
        stderrLines,
        bytes,
      });
    },
    lines: ({ from, count }) => Promise.resolve(lines.slice(from - 1, from - 1 + count)),
    async *bytes(_stream, from) {
      for (const { stream, bytes } of lines.slice(from - 1))
        yield await Promise.resolve({ stream, bytes: Buffer.concat([bytes, LINE_FEED]) });
    },
    close: () => Promise.resolve(),
  };
}

const LINE_FEED = Buffer.from("\n");
