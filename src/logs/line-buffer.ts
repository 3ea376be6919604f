/** What is kept of one line, and what is not. */
export interface BufferedLine {
  /** From its beginning, without its line end and never half a character. */
  readonly bytes: Buffer;
  /** How many characters of the line follow `bytes`. */
  readonly hidden: number;
  /** False where part of what follows was not looked at or holds control characters: there are `hidden` at most. */
  readonly hiddenIsExact: boolean;
}

const RETURN = 13;

/**
 * Collects the bytes of one line as a terminal shows it in the end: what stands before a carriage return was written over
 * by what follows it. Keeps a limited number of bytes and counts the characters behind them.
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

  /** Whether more bytes could change only the count of what is hidden. */
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

  /** Counts bytes of the line that were not read. */
  skip(bytes: number): void {
    this.#hidden += bytes;
    this.#hiddenIsExact = false;
  }

  /** The line so far; the next one begins. */
  take(): BufferedLine {
    const whole = Buffer.concat(this.#pieces);
    const isCut = this.#hidden > 0 || this.#kept >= this.#limit;
    const bytes = isCut ? whole.subarray(0, wholeCharacters(whole)) : whole;
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

/** UTF-8: the second to fourth byte of a character. */
function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** How many of these bytes make whole characters; bytes that are no text count as they are. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
