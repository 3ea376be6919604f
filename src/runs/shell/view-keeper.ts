import { settleLine, stripEscapes } from "../../diagnostics/clean/escapes.ts";
import { Redactor } from "../../security/redactor.ts";
import { MASK } from "../../security/secrets/mask.ts";
import type { OutputPart, StreamName, ViewLine } from "../../model/run.ts";

/** A longer view is not kept: then the record, of which it shows so much, is shown instead. */
const MAX_VIEW_BYTES = 1024 * 1024;

/** Keeps what a command line shows, where its filters show less than what is recorded. */
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
   * Undefined where all that is recorded was shown, and where what was shown is too long. Secrets that are known by the
   * record are masked: a filter may take away the name or the first line by which they are known.
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
/** A shorter text may stand anywhere without being the secret. */
const MIN_SECRET = 8;

function maskKnown(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets)
    if (secret.length >= MIN_SECRET && masked.includes(secret)) masked = masked.replaceAll(secret, MASK);
  return masked;
}
