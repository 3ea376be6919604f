/** One kind of secret, and how it is told from text that merely looks like it. */
export interface SecretKind {
  readonly name: string;
  /**
   * Sources of expressions without alternatives at their top: a line that matches none has no secret of this kind. One
   * that begins with a letter or digit matches only where a token may begin.
   */
  readonly marks: readonly string[];
  /**
   * Matches in linear time, with flags `dg`. The group `secret` is what is masked, by default the whole match; the
   * group `body` is what is judged, by default the secret.
   */
  readonly shape: RegExp;
  /** Whether it is a real one: by a checksum, by what it decodes to, or by being random. */
  readonly isReal: (body: string, match: RegExpExecArray) => boolean;
}

/**
 * Where a token may begin: not inside a word, but behind the letter of an escape, as `\n` in JSON and `%3D` in a URL.
 */
export const START = "(?<=^|[^0-9A-Za-z]|\\\\[nrt]|%[0-9A-Fa-f]{2})";

/** The same for a token without a sign of its own in it: behind `+` and `/` it is a piece of some base64. */
export const SOLID_START = "(?<=^|[^0-9A-Za-z+/]|\\\\[nrt]|%[0-9A-Fa-f]{2})";
