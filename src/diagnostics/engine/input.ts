import { TextDecoder } from "node:util";

import { stripEscapes } from "../clean/escapes.ts";
import { repairSymbols } from "../clean/mojibake.ts";
import { WrappedLines } from "../clean/wrapped.ts";
import type { Stream } from "../tool.ts";

/** Whole lines of one stream, decoded and without escapes; the text ends with a line feed. */
export interface DecodedLines {
  readonly stream: Stream;
  readonly text: string;
}

/** Decodes one stream chunk by chunk and returns whole lines. Broken UTF-8 becomes U+FFFD and a byte order mark is removed. */
export class StreamInput {
  readonly #stream: Stream;
  readonly #maxLine: number;
  readonly #wrapped = new WrappedLines();
  #decoder: TextDecoder | undefined;
  /** The first byte, if it arrived alone; two bytes are needed to detect the encoding. */
  #first: Uint8Array | undefined;
  #rest: string[] = [];
  #restLength = 0;
  #hasLineFeeds = false;

  /**
   * Characters of a line beyond `maxLine` are dropped; the limit must allow for minified reports, which are a single
   * line.
   */
  constructor(stream: Stream, maxLine: number) {
    this.#stream = stream;
    this.#maxLine = maxLine;
  }

  write(chunk: Uint8Array | string): DecodedLines | undefined {
    if (typeof chunk === "string") return this.#push(chunk);
    if (this.#decoder !== undefined) return this.#push(this.#decoder.decode(chunk, { stream: true }));
    const begun = this.#first === undefined ? chunk : Buffer.concat([this.#first, chunk]);
    this.#first = begun;
    if (begun.length < 2) return undefined;
    this.#decoder = new TextDecoder(encodingOf(begun));
    return this.#push(this.#decoder.decode(begun, { stream: true }));
  }

  end(): DecodedLines | undefined {
    const tail = this.#decoder?.decode() ?? new TextDecoder().decode(this.#first);
    if (tail !== "") this.#keep(tail);
    if (this.#restLength === 0) return undefined;
    // If a stream contains no line feed at all, its lines end with carriage returns.
    if (!this.#hasLineFeeds) this.#rest = [this.#rest.join("").replaceAll("\r", "\n")];
    return this.#decodeLines("\n");
  }

  #push(text: string): DecodedLines | undefined {
    const last = text.lastIndexOf("\n");
    if (last < 0) {
      this.#keep(text);
      return undefined;
    }
    this.#hasLineFeeds = true;
    const whole = this.#decodeLines(text.slice(0, last + 1));
    this.#keep(text.slice(last + 1));
    return whole;
  }

  #decodeLines(end: string): DecodedLines {
    const raw = this.#rest.join("") + end;
    this.#rest = [];
    this.#restLength = 0;
    const text = repairSymbols(stripEscapes(this.#wrapped.unwrap(raw)));
    return { stream: this.#stream, text };
  }

  #keep(text: string): void {
    if (text === "") return;
    const room = this.#maxLine - this.#restLength;
    if (room <= 0) return;
    const kept = text.slice(0, room);
    this.#rest.push(kept);
    this.#restLength += kept.length;
  }
}

/** Detects UTF-16 by its byte order mark; PowerShell's redirection writes it. */
function encodingOf(chunk: Uint8Array): string {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return "utf-16le";
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return "utf-16be";
  return "utf-8";
}
