/** Names of changelog files. */
export const CHANGELOG = /^(?:changelog|changes|history|release-?notes)(?:\.(?:md|markdown|txt))?$/i;

const VERSION = /(?:^|[^\d.])v?(\d+\.\d+\.\d+)(?![\d.]*\d)/;
/** Matches entries that are not about source code. */
const NOISE =
  /^(?:\*\*)?(?:deps?|build|chore|docs?|ci|test|style|release)(?:\([^)]*\))?(?:\*\*)?\s*:|version bump|^(?:update|upgrade|bump|remove|pin)d?s?\b.*\b(?:dep|deps|dependency|dependencies|devdependencies|version of|license|readme|changelog|peer)\b|^(?:bump|release)\b|\breadme\b|this version does not introduce|\S+@\^?\d+\.\d+/i;
const MIN_WORDS = 4;

/** Returns the changelog entries of one version as plain text: its list items, or its paragraphs if it has no list. */
export function entriesOf(changelog: string, version: string): readonly string[] {
  const entries: string[] = [];
  let open = false;
  for (const line of sectionOf(changelog, version)) {
    const bullet = /^\s{0,3}(?:[*+-]|\d+\.)\s+(.*)$/.exec(line);
    if (line.trim() === "" || line.startsWith("#")) open = false;
    else if (bullet !== null) {
      entries.push(bullet[1] ?? "");
      open = true;
    } else if (open) entries.push(`${entries.pop() ?? ""} ${line.trim()}`);
    else {
      entries.push(line.trim());
      open = true;
    }
  }
  return entries
    .map(plainWords)
    .filter((entry) => entry.split(" ").length >= MIN_WORDS && !NOISE.test(entry));
}

function sectionOf(changelog: string, version: string): readonly string[] {
  const lines = changelog.split(/\r?\n/);
  const isHeading = (index: number): boolean => {
    const line = lines[index] ?? "";
    return (
      (line.startsWith("#") || /^\s*(?:={3,}|-{3,})\s*$/.test(lines[index + 1] ?? "")) && VERSION.test(line)
    );
  };
  const start = lines.findIndex((line, index) => isHeading(index) && VERSION.exec(line)?.[1] === version);
  if (start === -1) return [];
  let end = start + 1;
  while (end < lines.length && !isHeading(end)) end++;
  return lines.slice(start + 1, end).filter((line) => !/^\s*(?:={3,}|-{3,})\s*$/.test(line));
}

/** Removes links, issue numbers, commit hashes and names of people. */
export function plainWords(entry: string): string {
  return entry
    .replaceAll(/<[^>]{1,200}>/g, " ")
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, (_, text: string) => text)
    .replaceAll(/https?:\/\/\S+/g, " ")
    .replaceAll(/\b(?:thanks|thx|by|via|closes|fixes|fix|see|refs?)\s+(?:to\s+)?(?:@[\w-]+|#\d+)/gi, " ")
    .replaceAll(/(?:\b(?:GH|CB)-?|#)\d+\b/g, " ")
    .replaceAll(/\b[0-9a-f]{7,40}\b/g, " ")
    .replaceAll(/@[\w-]+(?=[\s),.]|$)/g, " ")
    .replaceAll(/[`*[\]]|\(\s*[,;]*\s*\)/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\(\s*\)|\s*[,–-]\s*$/g, "")
    .trim();
}
