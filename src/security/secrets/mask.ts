import type { MaskedSecret } from "../../model/masked.ts";
import { findSecrets, type Range } from "./find.ts";
import { KeyTracker } from "./private-key.ts";

/** Stands in place of a secret: no sign in it has a meaning in JSON, XML or to a parser of compiler messages. */
export const MASK = "(secret-masked)";
/** Stands in place of each line of a private key; lines that follow one another are one secret. */
export const KEY_MASK = "(key-masked)";

/** A part of a line that is masked. */
export interface MaskedPart {
  readonly range: Range;
  readonly mask: string;
  /** False for the second and later lines of a private key, which is one secret. */
  readonly isFirst: boolean;
}

export interface MaskedLine {
  readonly text: string;
  readonly parts: readonly MaskedPart[];
}

/**
 * Terminal escapes and control characters. They are no part of the text that a reader sees, and a coloured secret
 * has them inside.
 */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[PX^_][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])|[\u0000-\u0007\u000B\u000C\u000E-\u001F\u007F]/g;
// oxlint-disable-next-line no-control-regex
const HAS_ESCAPE = /[\u0000-\u0007\u000B\u000C\u000E-\u001F\u007F]/;

/** Masks the secrets of a text line by line. It has to see the lines in order: a private key spans several. */
export class LineMasker {
  readonly #isVariablesFile: boolean;
  #key: KeyTracker;

  constructor(options: { readonly isVariablesFile?: boolean; readonly key?: KeyTracker } = {}) {
    this.#isVariablesFile = options.isVariablesFile ?? false;
    this.#key = options.key ?? new KeyTracker();
  }

  /** Whether a private key has begun and the next line may belong to it. */
  get isInKey(): boolean {
    return this.#key.isOpen;
  }

  /** The next line with its secrets masked; undefined where it has none. */
  next(line: string): MaskedLine | undefined {
    const parts = this.find(line);
    if (parts.length === 0) return undefined;
    return { text: replaceParts(line, parts), parts };
  }

  /** What is to be masked of the next line. */
  find(line: string): readonly MaskedPart[] {
    if (!HAS_ESCAPE.test(line)) return this.#findPlain(line);
    const { plain, toRaw } = withoutEscapes(line);
    return this.#findPlain(plain).map((part) => ({
      ...part,
      range: [toRaw(part.range[0]), toRaw(part.range[1] - 1) + 1],
    }));
  }

  /** The same for the beginning of a line whose end has not come yet. */
  findInUnfinished(line: string): readonly MaskedPart[] {
    const copy = new LineMasker({ isVariablesFile: this.#isVariablesFile, key: this.#key.copy() });
    return copy.find(line);
  }

  #findPlain(line: string): readonly MaskedPart[] {
    const wasInBody = this.#key.isInBody;
    const key =
      this.#key.isOpen || line.includes("PRIVATE KEY") || line.includes("Private-Lines")
        ? this.#key.next(line)
        : undefined;
    const secrets = findSecrets(line, this.#isVariablesFile).filter(
      ([from, to]) => key === undefined || to <= key[0] || from >= key[1],
    );
    const parts: MaskedPart[] = secrets.map((range) => ({ range, mask: MASK, isFirst: true }));
    if (key !== undefined) parts.push({ range: key, mask: KEY_MASK, isFirst: !wasInBody });
    return parts.sort((a, b) => a.range[0] - b.range[0]);
  }
}

/** Adds a masked part of a line to the secrets of the lines before it. */
export function addSecret(secrets: MaskedSecret[], line: number, isFirst: boolean): void {
  const last = secrets.at(-1);
  if (isFirst || last === undefined || last.lastLine < line - 1) secrets.push({ line, lastLine: line });
  else secrets[secrets.length - 1] = { ...last, lastLine: line };
}

/** Masks a text that is whole, such as a command line or a message. */
export function maskText(text: string): string {
  const masker = new LineMasker();
  return text
    .split("\n")
    .map((line) => masker.next(line)?.text ?? line)
    .join("\n");
}

/** The line with the parts masked. Escapes inside them stay, so that a colour that begins there also ends. */
export function replaceParts(line: string, parts: readonly MaskedPart[]): string {
  let out = "";
  let at = 0;
  for (const { range, mask } of parts) {
    const [from, to] = range;
    out += line.slice(at, from) + mask + (line.slice(from, to).match(ESCAPES) ?? []).join("");
    at = to;
  }
  return out + line.slice(at);
}

/** The line as it is read, and where its characters stand in the line as it came. */
function withoutEscapes(line: string): { plain: string; toRaw: (index: number) => number } {
  let plain = "";
  let from = 0;
  /** From this index of the plain text on, this many characters were left out before. */
  const left: { readonly plainFrom: number; readonly removed: number }[] = [{ plainFrom: 0, removed: 0 }];
  for (const { index, 0: escape } of line.matchAll(ESCAPES)) {
    plain += line.slice(from, index);
    from = index + escape.length;
    left.push({ plainFrom: plain.length, removed: from - plain.length });
  }
  plain += line.slice(from);
  return {
    plain,
    toRaw: (index) => index + (left.findLast(({ plainFrom }) => plainFrom <= index)?.removed ?? 0),
  };
}
