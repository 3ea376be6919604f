/**
 * What a stored record was made with. A record of another version is made anew from its blob; nothing else is lost.
 * 1: chunks of 50 lines, split identifiers, symbols and imports of the first grammars.
 * 2: the same, stored with checksums.
 */
export const FEATURE_VERSION = 2;
