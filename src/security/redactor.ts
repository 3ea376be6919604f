import { LineMasker, type MaskedPart, replaceParts } from "./secrets/mask.ts";
import { Suspects } from "./secrets/suspects.ts";

/** Upper bound, in bytes, on an unfinished line that is buffered so that no secret is split between two chunks. */
const MAX_PENDING_BYTES = 64 * 1024;
/**
 * The last bytes of a longer line that stay buffered when the rest is released; no known secret is longer than this.
 */
const OVERLAP_BYTES = 8 * 1024;
/** Upper bound on the secrets that are remembered, so that excerpts of the output can mask them too. */
const MAX_SECRETS = 1_000;
const LINE_FEED = 10;
const EMPTY = Buffer.alloc(0);

/**
 * Masks secrets in a stream of bytes. It decodes them as latin1, one character per byte: secrets are ASCII, and
 * everything else, including binary data, passes unchanged.
 */
export class Redactor {
  readonly #masker: LineMasker;
  /** The unfinished line that is held back. It is a copy, because the reader may reuse the memory of its chunk. */
  #pending: Buffer = EMPTY;
  /**
   * The start of the unfinished line that was already released; it may name the secret that follows, as `password=`
   * does.
   */
  #before = "";
  #masked: MaskedOffset[] = [];
  readonly #secrets = new Set<string>();

  constructor(options: { readonly isVariablesFile?: boolean } = {}) {
    this.#masker = new LineMasker(options);
  }

  /** Where secrets were masked: offsets in the bytes that the last call returned. */
  get masked(): readonly MaskedOffset[] {
    return this.#masked;
  }

  /** The first secrets that were found, so that excerpts of the same output can mask them too. */
  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  /** Takes the next bytes and returns the masked whole lines that may now be stored. */
  push(chunk: Buffer): Buffer {
    this.#masked = [];
    const lineEnd = chunk.lastIndexOf(LINE_FEED) + 1;
    if (lineEnd > 0) {
      const whole = this.#releaseLines(concat(this.#pending, chunk.subarray(0, lineEnd)));
      this.#pending = Buffer.from(chunk.subarray(lineEnd));
      return whole;
    }
    this.#pending = Buffer.concat([this.#pending, chunk]);
    return this.#pending.length > MAX_PENDING_BYTES
      ? this.#releaseUpTo(this.#pending.length - OVERLAP_BYTES)
      : EMPTY;
  }

  /** Returns the unfinished line except for its last word; call it when no output has come for a while. */
  flush(): Buffer {
    this.#masked = [];
    const space = Math.max(this.#pending.lastIndexOf(32), this.#pending.lastIndexOf(9));
    return space < 0 ? EMPTY : this.#releaseUpTo(space + 1);
  }

  end(): Buffer {
    this.#masked = [];
    const rest = this.#releaseLines(this.#pending);
    this.#pending = EMPTY;
    return rest;
  }

  /**
   * Masks whole lines, the first of which may continue an earlier chunk. Lines that cannot hold a secret are not even
   * decoded.
   */
  #releaseLines(bytes: Buffer): Buffer {
    const out: Buffer[] = [];
    let size = 0;
    let kept = 0;
    const keep = (piece: Buffer): void => {
      out.push(piece);
      size += piece.length;
    };
    const suspects = new Suspects(bytes);
    for (let at = this.#nextLine(bytes, 0, suspects); at >= 0;) {
      const lineEnd = bytes.indexOf(LINE_FEED, at);
      const end = lineEnd < 0 ? bytes.length : lineEnd;
      const line = this.#before + bytes.toString("latin1", at, end);
      const parts = this.#masker.find(line);
      if (parts.length > 0) {
        keep(bytes.subarray(kept, at));
        keep(this.#replace(line, { parts, from: this.#before.length, to: line.length, offset: size }));
        kept = end;
      }
      this.#before = "";
      at = lineEnd < 0 ? -1 : this.#nextLine(bytes, end + 1, suspects);
    }
    if (kept === 0) return bytes;
    keep(bytes.subarray(kept));
    return Buffer.concat(out, size);
  }

  /** Returns the offset of the next line that must be searched for secrets; -1 if there is none. */
  #nextLine(bytes: Buffer, from: number, suspects: Suspects): number {
    if (from >= bytes.length) return -1;
    if (this.#before !== "" || this.#masker.isInKey) return from;
    const suspect = suspects.next(from);
    return suspect < 0 ? -1 : bytes.lastIndexOf(LINE_FEED, suspect) + 1;
  }

  /** Releases the start of an unfinished line; the rest is searched again together with the bytes that follow. */
  #releaseUpTo(length: number): Buffer {
    const ready = this.#pending.subarray(0, length);
    const from = this.#before.length;
    const line = this.#before + this.#pending.toString("latin1");
    const to = from + length;
    const isSuspect = from > 0 || this.#masker.isInKey || new Suspects(this.#pending).next(0) >= 0;
    const parts = isSuspect ? this.#masker.findInUnfinished(line) : [];
    this.#before = line.slice(0, to).slice(-OVERLAP_BYTES);
    this.#pending = Buffer.from(this.#pending.subarray(length));
    return parts.length === 0 ? ready : this.#replace(line, { parts, from, to, offset: 0 });
  }

  /**
   * Masks the part of a line that is released now. If the start of a secret was released earlier, its rest is dropped.
   */
  #replace(line: string, piece: Piece): Buffer {
    const { from, to, offset } = piece;
    let text = "";
    let at = from;
    for (const part of piece.parts) {
      const [start, end] = part.range;
      if (end <= from || start >= to) continue;
      const begins = start >= from;
      text += line.slice(at, Math.max(start, from));
      if (begins) this.#masked.push({ offset: offset + text.length, isFirst: part.isFirst });
      if (this.#secrets.size < MAX_SECRETS) this.#secrets.add(line.slice(start, end));
      text += begins
        ? replaceParts(line.slice(start, Math.min(end, to)), [
            { ...part, range: [0, Math.min(end, to) - start] },
          ])
        : "";
      at = Math.min(end, to);
    }
    return Buffer.from(text + line.slice(at, to), "latin1");
  }
}

export interface MaskedOffset {
  readonly offset: number;
  /** True for the first masked line of a secret; a private key is one secret but has a mask on each of its lines. */
  readonly isFirst: boolean;
}

interface Piece {
  readonly parts: readonly MaskedPart[];
  /** The range of the line that is released now. */
  readonly from: number;
  readonly to: number;
  /** How many bytes the same call released before this part of the line. */
  readonly offset: number;
}

function concat(left: Buffer, right: Buffer): Buffer {
  return left.length === 0 ? right : Buffer.concat([left, right]);
}
