import type { FileChange, SymbolChange } from "../../model/changes.ts";
import type { IndexCore } from "../core.ts";
import { openFresh } from "../live/open-fresh.ts";
import { isUpToDate } from "../live/tree-index.ts";
import type { EditedVersions, EditRequest } from "./edited-versions.ts";
import { changedSinceCommit, compareFiles } from "./changes.ts";
import { withOutsideUses } from "./outside-uses.ts";
import { isCompatible } from "./signature-fit.ts";

/** Time that the index has to follow the files; an agent waits for the answer. */
const MAX_WAIT_MS = 400;

/**
 * Returns the definitions that an edit gave another signature or name, or removed, with the places that still use the
 * old one. Places that changed since the last commit count as seen by their author.
 */
export async function findStaleUses(
  core: IndexCore,
  files: readonly EditedVersions[],
  { root, signal }: EditRequest,
): Promise<readonly FileChange[]> {
  const { files: edited } = compareFiles(files);
  const breaking = edited
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
  const seen = repository === undefined ? [] : await changedSinceCommit(core, repository, signal);
  const looked = await withOutsideUses(breaking, [...edited, ...seen], source);
  return looked
    .map((file) => ({ ...file, symbols: file.symbols.flatMap((symbol) => withStaleUses(symbol, file.path)) }))
    .filter(({ symbols }) => symbols.length > 0);
}

/** True for a change after which users of a definition have to change too. */
function isBreaking(symbol: SymbolChange): boolean {
  if (symbol.change === "removed" || symbol.change === "renamed") return true;
  return symbol.change === "signature" && !isCompatible(symbol.oldSignature ?? "", symbol.signature);
}

/** Keeps a change if places still use the old definition. Those of a removed one in its own file may mean another. */
function withStaleUses(symbol: SymbolChange, path: string): readonly SymbolChange[] {
  const places = (symbol.usedOutside?.places ?? []).filter(
    (place) => symbol.change !== "removed" || place.path !== path,
  );
  if (symbol.usedOutside === undefined || places.length === 0) return [];
  const hidden = symbol.usedOutside.places.length - places.length;
  return [
    { ...symbol, usedOutside: { ...symbol.usedOutside, places, total: symbol.usedOutside.total - hidden } },
  ];
}
