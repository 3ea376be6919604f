import { readFileSync } from "node:fs";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import { errnoOf } from "../../kernel/errors.ts";

/** Pith's own ignore file, at any level, in gitignore's syntax. */
export const PITH_IGNORE = ".pithignore";

/** Files with rules, in gitignore's syntax, that may lie at any level. */
export const IGNORE_FILES: readonly string[] = [".gitignore", ".ignore", PITH_IGNORE];

/**
 * Caches and installed packages that a plain folder has no ignore file for. Names are matched at any depth below the
 * workspace, never above it: a workspace inside a folder named node_modules is served.
 */
export const NEVER_WALKED: ReadonlySet<string> = new Set([
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

/** Whether a folder of this name is left out of a plain folder's walk. */
export function isNeverWalked(folderName: string): boolean {
  return NEVER_WALKED.has(folderName);
}

/** The rules of one folder and of all above it up to the workspace. A deeper file's word counts more. */
export interface IgnoreRules {
  /** Rules for a folder below, with the ignore files found in it. */
  below(folder: string, files: readonly string[]): IgnoreRules;
  /** `path` is relative to the workspace; a folder's ends with `/`. */
  ignores(path: string): boolean;
}

interface Level {
  readonly prefix: string;
  readonly matcher: Ignore;
}

/** Rules that begin empty; `root` is where the ignore files are read from. */
export function createIgnoreRules(root: string): IgnoreRules {
  return rulesOf(root, []);
}

function rulesOf(root: string, levels: readonly Level[]): IgnoreRules {
  return {
    below(folder, files) {
      const text = files.map((name) => readRules(join(root, folder, name))).join("\n");
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

function readRules(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === "ENOENT" || errno === "EISDIR" || errno === "EACCES") return "";
    throw error;
  }
}
