import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { readSmallText } from "../../kernel/files/small-file.ts";

/** Pith's own ignore file, which has gitignore syntax and may be in any folder. */
export const PITH_IGNORE = ".pithignore";

/** The ignore files that are read in every folder; all have gitignore syntax. */
export const IGNORE_FILES: readonly string[] = [".gitignore", ".ignore", PITH_IGNORE];

/**
 * Names of folders with caches and installed packages, which are skipped in a workspace without git. Names are matched
 * at any depth below the workspace but never above it, so that a workspace inside a folder named node_modules works.
 */
export const ALWAYS_SKIPPED: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".jj",
  "node_modules",
  "__pycache__",
  ".venv",
  ".tox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".gradle",
  ".cache",
  ".terraform",
]);

/** True if folders of this name are skipped in a workspace without git. */
export function isAlwaysSkipped(folderName: string): boolean {
  return ALWAYS_SKIPPED.has(folderName);
}

/** The ignore rules of a folder and of its parents up to the workspace. Rules of deeper folders take precedence. */
export interface IgnoreRules {
  /** Returns the rules for a subfolder, to which those of the given ignore files in it are added. */
  below(folder: string, files: readonly string[]): IgnoreRules;
  /** Tests a path relative to the workspace; the path of a folder ends with `/`. */
  ignores(path: string): boolean;
}

interface Level {
  readonly prefix: string;
  readonly matcher: Ignore;
}

/** Creates rules that ignore nothing yet; ignore files are read from `root` and the folders below it. */
export function createIgnoreRules(root: string): IgnoreRules {
  return rulesOf(root, []);
}

function rulesOf(root: string, levels: readonly Level[]): IgnoreRules {
  return {
    below(folder, files) {
      const text = files.map((name) => readRules(root, join(root, folder, name))).join("\n");
      if (text.trim() === "") return this;
      const matcher = ignore({ allowRelativePaths: true }).add(text);
      return rulesOf(root, [...levels, { prefix: folder === "" ? "" : `${folder}/`, matcher }]);
    },
    ignores(path) {
      for (const { prefix, matcher } of levels.toReversed()) {
        if (!path.startsWith(prefix)) continue;
        const verdict = matcher.test(path.slice(prefix.length));
        if (verdict.ignored) return true;
        if (verdict.unignored) return false;
      }
      return false;
    },
  };
}

function readRules(root: string, path: string): string {
  return readSmallText(path, { within: root }) ?? "";
}
