import { join } from "node:path";
import type { GrepResult } from "../../model/grep-result.ts";
import type { JailedPath } from "../jail.ts";
import { HarmfulRuleFileError, harmfulFileAbove, RULE_FILES } from "../files/rule-files.ts";
import { maskMatches } from "./grep-mask.ts";
import { mergeResults } from "./grep-matches.ts";
import {
  checkQuery,
  DEFAULT_MAX_MATCHES,
  type GrepOptions,
  type GrepQuery,
  groupTargets,
  type GrepPlan,
  withDefaults,
} from "./grep-plan.ts";
import { scanFiles } from "./grep-scan.ts";
import { searchWithRipgrep } from "./ripgrep-search.ts";

/**
 * Searches files and folders for matching lines. Ignored files are skipped unless the caller names them. Hidden files
 * are searched, but not the folders of version control systems and, outside of git, those of installed packages and
 * caches. Symbolic links are not followed.
 */
export async function grep(
  targets: JailedPath | readonly JailedPath[],
  query: GrepQuery,
  options: GrepOptions = {},
): Promise<GrepResult> {
  checkQuery(query);
  const results: GrepResult[] = [];
  const { places, missing } = await groupTargets([targets].flat());
  for (const { cwd, show, targets: below, prefix } of places) {
    const mask = options.mask ?? false;
    const plan = { ...withDefaults(query), cwd, show, targets: below, mask };
    const result = await search(plan, options);
    results.push(withPrefix(mask ? await maskMatches(result, plan) : result, prefix));
  }
  const merged = mergeResults(results, query.maxMatches ?? DEFAULT_MAX_MATCHES);
  return missing.length === 0 ? merged : { ...merged, missingPaths: missing };
}

/** Puts the name of a dependency or of another project before the paths of a result. */
function withPrefix(result: GrepResult, prefix: string): GrepResult {
  if (prefix === "") return result;
  return { ...result, files: result.files.map((file) => ({ ...file, path: `${prefix}${file.path}` })) };
}

/** Files above a searched folder that ripgrep reads as well. */
const READ_ABOVE = [...RULE_FILES.ripgrep, ".git/info/exclude"];

/**
 * Searches with ripgrep, or in this process if ripgrep is not installed or would hang on a file with ignore rules. Such
 * a file counts as unreadable, because its rules are not obeyed.
 */
async function search(plan: GrepPlan, options: GrepOptions): Promise<GrepResult> {
  const isHarmful =
    !plan.noIgnore &&
    plan.targets.some(({ below }) => harmfulFileAbove(join(plan.cwd, below), READ_ABOVE) !== undefined);
  try {
    const found = isHarmful ? undefined : await searchWithRipgrep(plan, options);
    if (found !== undefined) return found;
  } catch (error) {
    if (!(error instanceof HarmfulRuleFileError)) throw error;
    return countUnreadable(await scanFiles(plan, options.signal));
  }
  const scanned = await scanFiles(plan, options.signal);
  return isHarmful ? countUnreadable(scanned) : scanned;
}

function countUnreadable(result: GrepResult): GrepResult {
  return { ...result, skipped: { ...result.skipped, unreadable: result.skipped.unreadable + 1 } };
}
