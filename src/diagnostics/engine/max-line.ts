/** Parsers get no more of a line; JSON lines (`{…`) are exempt, they are cut by the input's own limit. */
export const MAX_LINE = 32 * 1024;
