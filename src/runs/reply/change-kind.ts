import type { ChangedHunk } from "../../workspace/git/tree-changes.ts";

/**
 * What an edit of a file may do to tests that ran before; the smaller, the likelier it breaks them. Judged from the text
 * of the edit alone, so it decides only which suspect is named first.
 */
export const KIND = {
  /** Statements were changed or removed. */
  edited: 0,
  /** There are only new definitions. */
  added: 1,
  /** Names were changed consistently, and no failure mentions them. */
  renamed: 2,
  /** Only comments and empty lines were changed, or text that is no code. */
  comments: 3,
} as const;

interface Edit {
  readonly path: string;
  readonly hunks: readonly ChangedHunk[];
  /** The text after the edit; empty if it is not known. */
  readonly text: string;
  /** Whether the output of the failed run has a word. */
  readonly isMentioned: (word: string) => boolean;
}

const HASH_FILE =
  /\.(?:py|pyi|rb|rake|sh|bash|zsh|pl|pm|r|jl|ex|exs|nim|ya?ml|toml|cfg|ini|conf|cmake|tf|mk)$|(?:^|\/)(?:Makefile|Dockerfile|Gemfile|Rakefile)[^/]*$/i;
const DASH_FILE = /\.(?:sql|lua|hs|elm|adb|ads)$/i;
const SLASH_COMMENT = /^(?:\/\/|\/\*|\*\/|\*(?:\s|$))/;
/** Comments that tools and compilers read. */
const DIRECTIVE = /^(?:#!|\/\/go:|\/\/ ?\+build|.{0,4}@ts-|.{0,4}@vitest|.{0,4}@jest|.{0,3}type:|.{0,3}-\*-)/;
const TEXT_FILE =
  /\.(?:md|mdx|rst|txt|adoc|svg|png|jpg|gif|csv)$|(?:^|\/)(?:LICEN[CS]E|CHANGELOG|AUTHORS)[^/]*$/i;

/** Judges the edit of a file by its changed lines. */
export function kindOf({ path, hunks, text, isMentioned }: Edit): number {
  if (TEXT_FILE.test(path)) return KIND.comments;
  if (hunks.length === 0) return KIND.edited;
  const code = hunks.map(({ removed, added }) => ({
    removed: codeOf(removed, path),
    added: codeOf(added, path),
  }));
  const changed = code.filter(({ removed, added }) => removed.join("\n") !== added.join("\n"));
  if (changed.length === 0) return KIND.comments;
  if (changed.every(({ removed, added }) => removed.length === 0 && isDefinition(added))) return KIND.added;
  return isRenaming(changed, text, isMentioned) ? KIND.renamed : KIND.edited;
}

/** The lines that are neither empty nor whole comments. The depth of lines counts only where it has a meaning. */
function codeOf(lines: readonly string[], path: string): string[] {
  const comment = HASH_FILE.test(path) ? /^#/ : DASH_FILE.test(path) ? /^--/ : SLASH_COMMENT;
  return lines
    .filter((line) => {
      const bare = line.trim();
      return bare !== "" && (!comment.test(bare) || DIRECTIVE.test(bare));
    })
    .map((line) => (HASH_FILE.test(path) ? line.trimEnd() : line.trim()));
}

const DEFINITION =
  /^(?:(?:export|default|pub(?:\([^)]*\))?|async|public|private|protected|internal|static|abstract|final|open|override|suspend|unsafe|inline|const|local)\s+)*(?:function\b|class\b|def\b|func\b|fun\b|fn\b|interface\b|type\b|struct\b|enum\b|trait\b|record\b|it\(|test\(|describe\(|@Test\b|#\[test\])/;
const BEFORE_DEFINITION = /^(?:@[\w.]+(?:\(.*\))?|#\[.*\])$/;

/** Whether the first of some lines begins a definition. */
function isDefinition(lines: readonly string[]): boolean {
  const first = lines
    .map((line) => line.trim())
    .find((line) => !BEFORE_DEFINITION.test(line) || DEFINITION.test(line));
  return first !== undefined && DEFINITION.test(first);
}

const TOKEN = /[\p{L}_$][\p{L}\p{N}_$]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\d[\w.]*|[^\s\w]/gu;
const NAME = /^[\p{L}_$]/u;

/**
 * Whether an edit does nothing but give names another name: each old name is gone from the file, each new one is nowhere
 * else in it, and no failure has either.
 */
function isRenaming(
  changed: readonly { readonly removed: readonly string[]; readonly added: readonly string[] }[],
  text: string,
  isMentioned: (word: string) => boolean,
): boolean {
  const before = tokensOf(changed.flatMap(({ removed }) => removed));
  const after = tokensOf(changed.flatMap(({ added }) => added));
  if (before.length !== after.length || text === "") return false;
  const names = new Map<string, string>();
  for (const [at, old] of before.entries()) {
    const own = after[at] ?? "";
    if (old === own && !names.has(old)) continue;
    if (!NAME.test(old) || !NAME.test(own) || (names.get(old) ?? own) !== own) return false;
    names.set(old, own);
  }
  if (names.size === 0) return false;
  const words = tokensOf([text]);
  const uses = (of: readonly string[], name: string): number => of.filter((word) => word === name).length;
  return [...names].every(
    ([old, own]) =>
      uses(before, old) >= 2 &&
      uses(words, old) === 0 &&
      uses(words, own) === uses(after, own) &&
      !isMentioned(old) &&
      !isMentioned(own),
  );
}

function tokensOf(lines: readonly string[]): string[] {
  return [...lines.join("\n").matchAll(TOKEN)].map(([token]) => token);
}
