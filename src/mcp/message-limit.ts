import { Transform, type TransformCallback } from "node:stream";
import { isNestedTooDeeply } from "../kernel/json-depth.ts";

/** The largest message that is read. */
export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
/** How much of a message's beginning and end is searched for its id. */
const ID_SEARCH_BYTES = 1_024;
const NEWLINE = 10;

/** Says why a message was not passed on; `id` is that of the request, or null if it was not found. */
export interface RefusedMessage {
  readonly id: string | number | null;
  readonly reason: string;
}

/**
 * Passes on messages, one per line, and leaves out those that are too large or nested too deeply. The protocol's own
 * transport would close the connection, and the client would wait for its answer for ever.
 */
export class MessageLimit extends Transform {
  readonly #onRefused: (message: RefusedMessage) => void;
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #length = 0;
  /** The beginning and the end of a message that is too large; its other parts are dropped. */
  #ends: { readonly head: Buffer; tail: Buffer } | undefined;

  constructor(onRefused: (message: RefusedMessage) => void, maxBytes = MAX_MESSAGE_BYTES) {
    super();
    this.#onRefused = onRefused;
    this.#maxBytes = maxBytes;
  }

  override _transform(chunk: Buffer, _encoding: string, done: TransformCallback): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end + 1));
      this.#passOn();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    done();
  }

  /** A last message without a line end is passed on too. */
  override _flush(done: TransformCallback): void {
    if (this.#length > 0) this.#passOn();
    done();
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#ends === undefined) this.#parts.push(part);
    else this.#ends.tail = Buffer.concat([this.#ends.tail, part]).subarray(-ID_SEARCH_BYTES);
    if (this.#ends !== undefined || this.#length <= this.#maxBytes) return;
    const message = Buffer.concat(this.#parts);
    this.#ends = {
      head: Buffer.from(message.subarray(0, ID_SEARCH_BYTES)),
      tail: Buffer.from(message.subarray(-ID_SEARCH_BYTES)),
    };
    this.#parts = [];
  }

  #passOn(): void {
    const message = Buffer.concat(this.#parts);
    const { head, tail } = this.#ends ?? { head: message, tail: message.subarray(-ID_SEARCH_BYTES) };
    const what = this.#ends === undefined ? "is nested too deeply" : `has more than ${this.#maxBytes} bytes`;
    const isRefused = this.#ends !== undefined || isNestedTooDeeply(message);
    this.#parts = [];
    this.#length = 0;
    this.#ends = undefined;
    if (!isRefused) this.push(message);
    else this.#onRefused({ id: findId(head, tail), reason: `The message ${what} and was not read` });
  }
}

const ID = String.raw`"id"\s*:\s*(-?\d{1,15}|"(?:[^"\\]|\\.){0,200}")`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
/** Clients write the id before the parameters, or at the end. */
const ID_AT_START = new RegExp(
  String.raw`^\s*\{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]{0,200}"\s*,\s*)*${ID}`,
);
const ID_AT_END = new RegExp(String.raw`${ID}\s*(?:,\s*${VERSION}\s*)?\}\s*$`);

/** Finds the id of a request in the beginning or the end of its text, without parsing it. */
function findId(head: Buffer, tail: Buffer): string | number | null {
  const start = head.toString("utf8", 0, ID_SEARCH_BYTES);
  const found = (ID_AT_START.exec(start) ?? ID_AT_END.exec(tail.toString("utf8")))?.[1];
  const id: unknown = found === undefined ? null : JSON.parse(found);
  return typeof id === "string" || typeof id === "number" ? id : null;
}
