import type { MaskedSecret } from "../../model/masked.ts";
import { findSecrets, mergeRanges } from "./find.ts";
import { KeyTracker } from "./private-key.ts";
import type { Range } from "./secret-kind.ts";

/** The text that replaces a secret. None of its characters has a meaning in JSON, XML or compiler messages. */
export const MASK = "(secret-masked)";
/** The text that replaces each line of a private key; consecutive lines count as one secret. */
export const KEY_MASK = "(key-masked)";

/** A range of a line that must be masked. */
export interface MaskedPart {
  readonly range: Range;
  readonly mask: string;
  /** False for the second and later lines of a private key, which is counted as one secret. */
  readonly isFirst: boolean;
}

/** Shared by all lines without a secret, which are nearly all of them. */
const NOTHING: readonly MaskedPart[] = [];

export interface MaskedLine {
  readonly text: string;
  readonly parts: readonly MaskedPart[];
}

/**
 * Matches terminal escapes and control characters. They are invisible to a reader, and may occur inside a coloured
 * secret.
 */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[PX^_][^\u0007\u001B\n]*(?:\u0007|\u001B\\)?|[ -/]*[0-~])|[\u0000-\u0007\u000B\u000C\u000E-\u001F\u007F]/g;
// oxlint-disable-next-line no-control-regex
const HAS_ESCAPE = /[\u0000-\u0007\u000B\u000C\u000E-\u001F\u007F]/;

/** Masks the secrets of a text line by line. It must see the lines in order, because a private key spans several. */
export class LineMasker {
  readonly #isVariablesFile: boolean;
  #key: KeyTracker;

  constructor(options: { readonly isVariablesFile?: boolean; readonly key?: KeyTracker } = {}) {
    this.#isVariablesFile = options.isVariablesFile ?? false;
    this.#key = options.key ?? new KeyTracker();
  }

  /** True if a private key has begun, so that the next line may belong to it. */
  get isInKey(): boolean {
    return this.#key.isOpen;
  }

  /** Masks the secrets of the next line; undefined if it has none. */
  next(line: string): MaskedLine | undefined {
    const parts = this.find(line);
    if (parts.length === 0) return undefined;
    return { text: replaceParts(line, parts), parts };
  }

  /** Finds the parts of the next line that must be masked. */
  find(line: string): readonly MaskedPart[] {
    if (!HAS_ESCAPE.test(line)) return this.#findPlain(line);
    const { plain, toRaw } = withoutEscapes(line);
    return this.#findPlain(plain).map((part) => ({
      ...part,
      range: [toRaw(part.range[0]), toRaw(part.range[1] - 1) + 1],
    }));
  }

  /** Finds the parts to mask at the start of a line that is not complete yet, without advancing to the next line. */
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
    const found = findReadable(line, this.#isVariablesFile);
    if (found.length === 0 && key === undefined) return NOTHING;
    const secrets = found.filter(([from, to]) => key === undefined || to <= key[0] || from >= key[1]);
    const parts: MaskedPart[] = secrets.map((range) => ({ range, mask: MASK, isFirst: true }));
    if (key !== undefined) parts.push({ range: key, mask: KEY_MASK, isFirst: !wasInBody });
    return parts.sort((a, b) => a.range[0] - b.range[0]);
  }
}

/**
 * Adds a masked part of a line to the list of masked secrets; later lines of a private key extend the entry of its
 * first line.
 */
export function addSecret(secrets: MaskedSecret[], line: number, isFirst: boolean): void {
  const last = secrets.at(-1);
  if (isFirst || last === undefined || last.lastLine < line - 1) secrets.push({ line, lastLine: line });
  else secrets[secrets.length - 1] = { ...last, lastLine: line };
}

/** Masks a complete text, such as a command line or a message. */
export function maskText(text: string): string {
  const masker = new LineMasker();
  return text
    .split("\n")
    .map((line) => masker.next(line)?.text ?? line)
    .join("\n");
}

/**
 * Replaces the given parts of a line by masks. Terminal escapes inside them are kept, so that colours are switched off
 * again.
 */
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

/**
 * Matches quotes, brackets and ampersands as XML and HTML write them, once or several times encoded, and a quote inside
 * a quoted word of a shell.
 */
const ENCODED = /&(?:amp;|#38;)*(?:quot|apos|lt|gt|amp|#0{0,4}(?:34|38|39|60|62)|#[xX]0{0,4}2[267]);|'\\''/g;

/** Finds the secrets of a line as it is, and as it reads once its encoded quotes are decoded. */
function findReadable(line: string, isVariablesFile: boolean): readonly Range[] {
  const found = findSecrets(line, isVariablesFile);
  if (!line.includes(";") && !line.includes("'\\''")) return found;
  const { plain, toRaw } = withReplaced(line, ENCODED, decodeCharacter);
  if (plain === line) return found;
  const decoded = findSecrets(plain, isVariablesFile).map(([from, to]): Range => [
    toRaw(from),
    toRaw(to - 1) + 1,
  ]);
  return mergeRanges([...found, ...decoded]);
}

/** The character that an encoded one stands for; each is replaced by one character, so that places can be mapped back. */
function decodeCharacter(encoded: string): string {
  if (/quot|34|22/.test(encoded)) return '"';
  if (/lt|60/.test(encoded)) return "<";
  if (/gt|62/.test(encoded)) return ">";
  return /apos|39|27|\\/.test(encoded) ? "'" : "&";
}

/** Strips terminal escapes from a line; `toRaw` maps an index of the result to one of the original line. */
function withoutEscapes(line: string): Replaced {
  return withReplaced(line, ESCAPES, () => "");
}

interface Replaced {
  readonly plain: string;
  readonly toRaw: (index: number) => number;
}

/** Replaces the matches of a pattern; `toRaw` maps an index of the result to one of the original line. */
function withReplaced(line: string, pattern: RegExp, replace: (match: string) => string): Replaced {
  let plain = "";
  let from = 0;
  /** Each entry says how many characters were stripped before index `plainFrom` of the stripped text. */
  const left: { readonly plainFrom: number; readonly removed: number }[] = [{ plainFrom: 0, removed: 0 }];
  for (const { index, 0: match } of line.matchAll(pattern)) {
    plain += line.slice(from, index) + replace(match);
    from = index + match.length;
    left.push({ plainFrom: plain.length, removed: from - plain.length });
  }
  plain += line.slice(from);
  return {
    plain,
    toRaw: (index) => index + (left.findLast(({ plainFrom }) => plainFrom <= index)?.removed ?? 0),
  };
}
