/** A range of a text that must be masked: from (inclusive), to (exclusive). */
export type Range = readonly [from: number, to: number];

/** One kind of secret, and how to distinguish it from text that only looks similar. */
export interface SecretKind {
  readonly name: string;
  /**
   * Sources of regular expressions without top-level alternatives: a line that matches none of them has no secret of this
   * kind. An expression that begins with a letter or digit matches only where a token may begin.
   */
  readonly marks: readonly string[];
  /**
   * Matches a candidate in linear time, with flags `dg`. The group `secret` is masked, by default the whole match; the
   * group `body` is passed to `isReal`, by default the secret.
   */
  readonly shape: RegExp;
  /** Returns whether a candidate is a real secret, judged by its checksum, its decoded content or its randomness. */
  readonly isReal: (body: string, match: RegExpExecArray) => boolean;
}

/** Matches where a token may begin: not inside a word, but after an escape such as `\n` in JSON or `%3D` in a URL. */
export const START = "(?<=^|[^0-9A-Za-z]|\\\\[nrt]|%[0-9A-Fa-f]{2})";

/** Like START, for tokens without a distinctive character: after `+` or `/` they would be part of some base64 text. */
export const SOLID_START = "(?<=^|[^0-9A-Za-z+/]|\\\\[nrt]|%[0-9A-Fa-f]{2})";
