/** A character that would make the path a part of a longer name. */
const NAME = String.raw`[\w.-]`;

/** Puts `to` in place of the folder `from` wherever a text names it or something below it. */
export function pathTranslator(from: string, to: string): (text: string) => string {
  // The root of the file system is the beginning of every path: nothing tells a name of it from others.
  if (from === to || from.length < 2) return (text) => text;
  const named = new RegExp(`(?<!${NAME})${escapeRegExp(from)}(?!${NAME})`, "g");
  return (text) => text.replace(named, () => to);
}

/**
 * The same for a stream of bytes: what might be the beginning of the path is held back until more has come. The path
 * must be one that stands for nothing else, as a folder with a random name does: its surroundings are not looked at.
 */
export class StreamTranslator {
  readonly #from: Buffer;
  readonly #to: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(from: string, to: string) {
    this.#from = Buffer.from(from);
    this.#to = Buffer.from(to);
  }

  push(chunk: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const parts: Buffer[] = [];
    let at = 0;
    for (let found = bytes.indexOf(this.#from); found >= 0; found = bytes.indexOf(this.#from, at)) {
      parts.push(bytes.subarray(at, found), this.#to);
      at = found + this.#from.length;
    }
    const rest = bytes.subarray(at);
    const held = this.#beginningAtEnd(rest);
    this.#held = Buffer.from(rest.subarray(rest.length - held));
    const open = rest.subarray(0, rest.length - held);
    return parts.length === 0 ? open : Buffer.concat([...parts, open]);
  }

  /** Gives what was held back. */
  end(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  /** How many bytes at the end are a beginning of the path. */
  #beginningAtEnd(bytes: Buffer): number {
    const longest = Math.min(bytes.length, this.#from.length - 1);
    for (let length = longest; length > 0; length--)
      if (bytes.subarray(bytes.length - length).equals(this.#from.subarray(0, length))) return length;
    return 0;
  }
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}
