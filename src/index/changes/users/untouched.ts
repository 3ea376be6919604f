import type { FileChange, SymbolChange } from "../../../model/changes.ts";
import type { FoundUse } from "../../uses/find-uses.ts";
import type { LineChanges } from "../line-changes.ts";

/** What a change did to files and to their lines, by path. */
export interface ChangedCode {
  readonly changed: ReadonlyMap<string, FileChange>;
  /** What became of the lines of files that are in both states. */
  readonly lines: ReadonlyMap<string, LineChanges>;
}

type Place = Pick<FoundUse, "file" | "use">;

/** True for a definition that is not in the later state of its file, so that its lines are those of the earlier one. */
export function hasLeft({ change, newPath }: SymbolChange): boolean {
  return change === "removed" || newPath !== undefined;
}

/** True for a place that is as it was before the change, although code around it may differ. */
export function isUntouched(
  { changed, lines }: ChangedCode,
  { file: { path }, use: { line } }: Place,
): boolean {
  const file = changed.get(path);
  if (file === undefined) return true;
  if (file.symbols.some((one) => isMovedOnly(one) && isInside(one, line))) return true;
  const known = lines.get(path);
  return known !== undefined && known.oldLines[line] !== 0 && !known.changedCalls.has(line);
}

/** True for a place that is as it was, or whose line changed outside of all definitions, as in a list of imports. */
export function isBesideChanges(code: ChangedCode, place: Place): boolean {
  const { status, symbols } = code.changed.get(place.file.path) ?? {};
  const isInChanged = symbols?.some((one) => !hasLeft(one) && isInside(one, place.use.line)) === true;
  return (status !== "added" && !isInChanged) || isUntouched(code, place);
}

/** True for a definition that is as it was in another file, where all its lines are new. */
function isMovedOnly({ change, newPath, hasNewBody, oldSignature }: SymbolChange): boolean {
  return change === "moved" && newPath === undefined && hasNewBody !== true && oldSignature === undefined;
}

function isInside({ lineStart, lineEnd }: SymbolChange, line: number): boolean {
  return lineStart <= line && line <= lineEnd;
}
