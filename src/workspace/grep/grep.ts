import type { GrepResult } from "../../model/grep-result.ts";
import type { JailedPath } from "../jail.ts";
import { maskMatches } from "./grep-mask.ts";
import { mergeResults } from "./grep-matches.ts";
import {
  checkQuery,
  DEFAULT_MAX_MATCHES,
  type GrepOptions,
  type GrepQuery,
  groupTargets,
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
  for (const { cwd, show, targets: below } of places) {
    const mask = options.mask ?? false;
    const plan = { ...withDefaults(query), cwd, show, targets: below, mask };
    const result = (await searchWithRipgrep(plan, options)) ?? (await scanFiles(plan, options.signal));
    results.push(mask ? await maskMatches(result, plan) : result);
  }
  const merged = mergeResults(results, query.maxMatches ?? DEFAULT_MAX_MATCHES);
  return missing.length === 0 ? merged : { ...merged, missingPaths: missing };
}
