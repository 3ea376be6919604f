import type { FileChange, SymbolChange } from "../../model/changes.ts";
import type { IndexCore } from "../core.ts";
import { openFresh } from "../live/open-fresh.ts";
import { isUpToDate } from "../live/tree-index.ts";
import type { EditedVersions, EditRequest } from "./edited-versions.ts";
import { changedSinceCommit, compareFiles } from "./changes.ts";
import { withOutsideUses } from "./users/outside-uses.ts";
import { isCompatible } from "./signature-fit.ts";

/** Time that the index has to follow the files; an agent waits for the answer. */
const MAX_WAIT_MS = 400;

/**
 * Returns the definitions that an edit gave another signature, with the places that certainly use them and did not
 * change. Places that changed since the last commit count as seen by their author.
 */
export async function findStaleUses(
  core: IndexCore,
  files: readonly EditedVersions[],
  { root, signal }: EditRequest,
): Promise<readonly FileChange[]> {
  const edited = compareFiles(files);
  const breaking = edited.files
    .map((file) => ({ ...file, symbols: file.symbols.filter(isBreaking) }))
    .filter(({ symbols }) => symbols.length > 0);
  if (breaking.length === 0) return [];
  const { source, freshness } = await openFresh(core, {
    root,
    ref: "live",
    policy: "balanced",
    answerBy: Date.now() + MAX_WAIT_MS,
    paths: files.map(({ path }) => path),
    ...(signal !== undefined && { signal }),
  });
  // An index that is incomplete or behind would name callers that were changed already.
  if (!isUpToDate(freshness)) return [];
  const { repository } = source.project;
  const seen = repository === undefined ? undefined : await changedSinceCommit(core, repository, signal);
  const all = {
    files: [...edited.files, ...(seen?.files ?? [])],
    lines: new Map([...edited.lines, ...(seen?.lines ?? [])]),
  };
  const looked = await withOutsideUses(breaking, all, {
    after: source,
    // Only definitions that are gone are looked up in an earlier state.
    openBefore: () => Promise.resolve(source),
  });
  return looked
    .map((file) => ({ ...file, symbols: file.symbols.filter(isSurelyUsed) }))
    .filter(({ symbols }) => symbols.length > 0);
}

/** True for a change after which users of a definition have to change too. */
function isBreaking({ change, oldSignature = "", signature }: SymbolChange): boolean {
  return change === "signature" && !isCompatible(oldSignature, signature);
}

function isSurelyUsed({ usedOutside }: SymbolChange): boolean {
  return usedOutside !== undefined && usedOutside.total > 0;
}
