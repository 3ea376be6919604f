/** The start of one log line that was kept, and how much text follows it. */
export interface BufferedLine {
  /** The start of the line, without a line end and with whole characters only. */
  readonly bytes: Buffer;
  /** The number of characters of the line after `bytes`. */
  readonly hidden: number;
  /**
   * False if a part of the text after `bytes` was not read or holds control characters; then `hidden` is only an upper
   * bound.
   */
  readonly hiddenIsExact: boolean;
}

const RETURN = 13;

/**
 * Collects the bytes of one line as a terminal finally shows it: text before a carriage return is overwritten by the
 * text after it. Only a limited number of bytes is kept, and the characters after them are counted.
 */
export class LineBuffer {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #kept = 0;
  #hidden = 0;
  #hiddenIsExact = true;
  #endsInReturn = false;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * True if enough of the line is kept; further bytes can then only change the number of characters that are not shown.
   */
  get isFull(): boolean {
    return this.#kept >= this.#limit;
  }

  add(piece: Buffer): void {
    let end = piece.length;
    while (end > 0 && piece[end - 1] === RETURN) end--;
    if (end > 0) {
      const start = piece.lastIndexOf(RETURN, end - 1) + 1;
      if (start > 0 || this.#endsInReturn) this.#clear();
      this.#append(piece.subarray(start, end));
    }
    this.#endsInReturn = end < piece.length || (end === 0 && this.#endsInReturn);
  }

  /** Counts bytes of the line that the reader skipped without passing them to this buffer. */
  skip(bytes: number): void {
    this.#hidden += bytes;
    this.#hiddenIsExact = false;
  }

  /** Returns the line so far and begins the next one. */
  take(): BufferedLine {
    const whole = Buffer.concat(this.#pieces);
    const isCut = this.#hidden > 0 || this.#kept >= this.#limit;
    const bytes = isCut ? whole.subarray(0, countWholeCharacters(whole)) : whole;
    const line = {
      bytes,
      hidden: this.#hidden + (bytes.length < whole.length ? 1 : 0),
      hiddenIsExact: this.#hiddenIsExact,
    };
    this.#clear();
    this.#endsInReturn = false;
    return line;
  }

  #append(piece: Buffer): void {
    const room = Math.max(0, this.#limit - this.#kept);
    const kept = piece.subarray(0, room);
    if (kept.length > 0) this.#pieces.push(kept);
    this.#kept += kept.length;
    for (let at = kept.length; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (!isContinuation(byte)) this.#hidden++;
      if (byte < 32 && byte !== 9) this.#hiddenIsExact = false;
    }
  }

  #clear(): void {
    this.#pieces = [];
    this.#kept = 0;
    this.#hidden = 0;
    this.#hiddenIsExact = true;
  }
}

/** Returns whether a byte is the second to fourth byte of a UTF-8 character. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** The number of leading bytes that form whole UTF-8 characters; bytes that are not UTF-8 count too. */
function countWholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
