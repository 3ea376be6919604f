import { LineMasker, type MaskedPart, replaceParts } from "./secrets/mask.ts";
import { Suspects } from "./secrets/suspects.ts";

/** A line is held back until it is whole, so that a secret cannot hide on the border of two chunks. Up to this much... */
const MAX_HELD = 64 * 1024;
/** ...beyond it all but this much goes out: more than any known secret is long. */
const OVERLAP = 8 * 1024;
/** How many secrets are remembered. */
const MAX_KNOWN = 1_000;
const LINE_FEED = 10;
const NOTHING = Buffer.alloc(0);

/**
 * Masks secrets in a stream of bytes. Works on latin1 text, one character per byte: the known shapes are ASCII and
 * everything else, binary included, passes unchanged.
 */
export class Redactor {
  readonly #masker: LineMasker;
  /** A copy: whoever reads may use the chunk again. */
  #held: Buffer = NOTHING;
  /** The beginning of the held line that already went out: a secret's announcement may stand in it. */
  #before = "";
  #masked: MaskedOffset[] = [];
  readonly #secrets = new Set<string>();

  constructor(options: { readonly isVariablesFile?: boolean } = {}) {
    this.#masker = new LineMasker(options);
  }

  /** Where the bytes that the last call returned have masks. */
  get masked(): readonly MaskedOffset[] {
    return this.#masked;
  }

  /** The secrets themselves, the first ones: what shows a part of the same output must not show them either. */
  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  /** Takes the next bytes and gives what may be stored: whole lines, masked. */
  push(chunk: Buffer): Buffer {
    this.#masked = [];
    const lineEnd = chunk.lastIndexOf(LINE_FEED) + 1;
    if (lineEnd > 0) {
      const whole = this.#releaseLines(join(this.#held, chunk.subarray(0, lineEnd)));
      this.#held = Buffer.from(chunk.subarray(lineEnd));
      return whole;
    }
    this.#held = Buffer.concat([this.#held, chunk]);
    return this.#held.length > MAX_HELD ? this.#releaseUpTo(this.#held.length - OVERLAP) : NOTHING;
  }

  /** Nothing more has come for a while: gives the unfinished line, but for its last word. */
  flush(): Buffer {
    this.#masked = [];
    const space = Math.max(this.#held.lastIndexOf(32), this.#held.lastIndexOf(9));
    return space < 0 ? NOTHING : this.#releaseUpTo(space + 1);
  }

  end(): Buffer {
    this.#masked = [];
    const rest = this.#releaseLines(this.#held);
    this.#held = NOTHING;
    return rest;
  }

  /** Lines that are whole, the first of which may have begun before. Most hold nothing suspicious and stay bytes. */
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

  /** Where the next line begins that has to be looked at; -1 where there is none. */
  #nextLine(bytes: Buffer, from: number, suspects: Suspects): number {
    if (from >= bytes.length) return -1;
    if (this.#before !== "" || this.#masker.isInKey) return from;
    const suspect = suspects.next(from);
    return suspect < 0 ? -1 : bytes.lastIndexOf(LINE_FEED, suspect) + 1;
  }

  /** The beginning of an unfinished line. The rest is looked at again, together with what follows. */
  #releaseUpTo(length: number): Buffer {
    const ready = this.#held.subarray(0, length);
    const from = this.#before.length;
    const line = this.#before + this.#held.toString("latin1");
    const to = from + length;
    const isSuspect = from > 0 || this.#masker.isInKey || new Suspects(this.#held).next(0) >= 0;
    const parts = isSuspect ? this.#masker.findInUnfinished(line) : [];
    this.#before = line.slice(0, to).slice(-OVERLAP);
    this.#held = Buffer.from(this.#held.subarray(length));
    return parts.length === 0 ? ready : this.#replace(line, { parts, from, to, offset: 0 });
  }

  /** The part of a line that goes out now. Of a secret that began in what is already out, the rest is left out. */
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
      if (this.#secrets.size < MAX_KNOWN) this.#secrets.add(line.slice(start, end));
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
  /** False where a private key goes on that began in an earlier line. */
  readonly isFirst: boolean;
}

interface Piece {
  readonly parts: readonly MaskedPart[];
  /** What of the line goes out. */
  readonly from: number;
  readonly to: number;
  /** How much went out before it in the same call. */
  readonly offset: number;
}

function join(left: Buffer, right: Buffer): Buffer {
  return left.length === 0 ? right : Buffer.concat([left, right]);
}
