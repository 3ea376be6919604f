/** Returns what is wrong with packed packages, as sentences. */
export function checkPackages(tarballs: readonly string[]): string[];
