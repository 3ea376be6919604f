/** A range of a text that must be masked: from (inclusive), to (exclusive). */
export type Range = readonly [from: number, to: number];

/** One kind of secret, and how to distinguish it from text that only looks similar. */
export interface SecretKind {
  readonly name: string;
  /**
   * Sources of regular expressions for a quick test: a line that matches none of them has no secret of this kind. They
   * have no alternatives at the top level. One that begins with a letter or digit matches only where a token may begin.
   */
  readonly marks: readonly string[];
  /**
   * Matches a possible secret in linear time, with the flags `dg`. The group `secret` is masked (by default the whole
   * match), and the group `body` is passed to `isReal` (by default the secret).
   */
  readonly shape: RegExp;
  /** Returns whether a possible secret is real, judged by its checksum, its decoded content or its randomness. */
  readonly isReal: (body: string, match: RegExpExecArray) => boolean;
}

/** Matches where a token may begin: not inside a word, but after an escape such as `\n` in JSON or `%3D` in a URL. */
export const START = "(?<=^|[^0-9A-Za-z]|\\\\[nrt]|%[0-9A-Fa-f]{2})";

/**
 * Like START, but does not match after `+` or `/`; it is for tokens without a distinctive character, which could there
 * be part of a base64 text.
 */
export const SOLID_START = "(?<=^|[^0-9A-Za-z+/]|\\\\[nrt]|%[0-9A-Fa-f]{2})";

/** Matches the first characters of a token's body; a mark for such tokens ends with this. */
export const BODY_START = "[\\w+/=.~%-]{16}";
