import { findSecrets, type Range } from "./secrets.ts";

/** What stands in place of a secret. */
export const MASK = "***";

/** A line is held back until it is whole, so that a secret cannot hide on the border of two chunks. Up to this much... */
const MAX_HELD = 64 * 1024;
/** ...beyond it all but this much goes out: more than any known secret is long. */
const OVERLAP = 8 * 1024;
/** A private key is never longer than this many lines. */
const MAX_KEY_LINES = 200;

const KEY_BEGIN = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY( BLOCK)?-----/;
const KEY_END = /-----END [A-Z ]{0,40}PRIVATE KEY( BLOCK)?-----/;
const NOTHING = Buffer.alloc(0);

/**
 * Masks known secrets in a stream of bytes. Works on latin1 text, one character a byte: the known shapes are ASCII and
 * everything else, binary included, passes unchanged.
 */
export class Redactor {
  #held: Buffer = NOTHING;
  /** The beginning of the held line that already went out: a secret's announcement may stand in it. */
  #before = "";
  #keyLines = 0;

  /** Takes the next bytes and gives what may be stored: whole lines, masked. */
  push(chunk: Buffer): Buffer {
    const lineEnd = chunk.lastIndexOf(10) + 1;
    if (lineEnd > 0) {
      const whole = this.#release(join(this.#held, chunk.subarray(0, lineEnd)));
      this.#before = "";
      this.#held = chunk.subarray(lineEnd);
      return whole;
    }
    this.#held = join(this.#held, chunk);
    return this.#held.length > MAX_HELD ? this.#releaseUpTo(this.#held.length - OVERLAP) : NOTHING;
  }

  /** Nothing more has come for a while: gives the unfinished line, but for its last word. */
  flush(): Buffer {
    const space = Math.max(this.#held.lastIndexOf(32), this.#held.lastIndexOf(9));
    return space < 0 ? NOTHING : this.#releaseUpTo(space + 1);
  }

  end(): Buffer {
    const rest = this.#release(this.#held);
    this.#held = NOTHING;
    return rest;
  }

  #releaseUpTo(length: number): Buffer {
    const ready = this.#held.subarray(0, length);
    // The rest is looked at again together with what follows; the mask may only start in what goes out now.
    const ahead = this.#held.subarray(length).toString("latin1");
    const out = this.#release(ready, ahead);
    this.#held = Buffer.from(this.#held.subarray(length));
    return out;
  }

  #release(bytes: Buffer, ahead = ""): Buffer {
    if (bytes.length === 0) return NOTHING;
    const raw = bytes.toString("latin1");
    const text = this.#before + raw + ahead;
    const from = this.#before.length;
    const secrets = clipRanges(this.#findAll(text), from, from + raw.length);
    this.#before = text.slice(0, from + raw.length).slice(-OVERLAP);
    return secrets.length === 0 ? bytes : mask(raw, secrets, from);
  }

  #findAll(text: string): Range[] {
    const found = findSecrets(text);
    if (this.#keyLines === 0 && !text.includes("PRIVATE KEY")) return found;
    return [...found, ...this.#keyBodies(text)].sort((a, b) => a[0] - b[0]);
  }

  /** What stands between the markers of a private key, line by line. */
  #keyBodies(text: string): Range[] {
    const bodies: Range[] = [];
    let at = 0;
    for (const line of text.split(/(?<=\n)/)) {
      const body = this.#keyBody(line.replace(/\r?\n$/, ""));
      if (body !== undefined && body[1] > body[0]) bodies.push([at + body[0], at + body[1]]);
      at += line.length;
    }
    return bodies;
  }

  #keyBody(line: string): Range | undefined {
    const begin = KEY_BEGIN.exec(line);
    const end = KEY_END.exec(line);
    if (begin !== null) {
      this.#keyLines = end === null ? 1 : 0;
      return [begin.index + begin[0].length, end?.index ?? line.length];
    }
    if (this.#keyLines === 0) return undefined;
    this.#keyLines = end !== null || this.#keyLines >= MAX_KEY_LINES ? 0 : this.#keyLines + 1;
    return [0, end?.index ?? line.length];
  }
}

/** Masks a text that is whole, such as a command line. */
export function maskText(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  const redactor = new Redactor();
  return Buffer.concat([redactor.push(bytes), redactor.end()]).toString("utf8");
}

function clipRanges(ranges: readonly Range[], from: number, to: number): Range[] {
  const clipped: Range[] = [];
  let last = from;
  for (const [start, end] of ranges) {
    const range: Range = [Math.max(start, last), Math.min(end, to)];
    if (range[1] <= range[0]) continue;
    clipped.push(range);
    last = range[1];
  }
  return clipped;
}

function mask(raw: string, ranges: readonly Range[], offset: number): Buffer {
  let out = "";
  let at = 0;
  for (const [from, to] of ranges) {
    out += raw.slice(at, from - offset) + MASK;
    at = to - offset;
  }
  return Buffer.from(out + raw.slice(at), "latin1");
}

function join(left: Buffer, right: Buffer): Buffer {
  return left.length === 0 ? right : Buffer.concat([left, right]);
}
