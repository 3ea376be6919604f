export const VERSION_FILES: readonly string[];
export function withVersion(text: string, version: string): string;
export function withSection(changelog: string, version: string, date: string): string;
export function sectionOf(changelog: string, version: string): string;
export function unreleasedLines(changelog: string): string;
