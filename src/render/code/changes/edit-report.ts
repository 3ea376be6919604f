import type { BrokenFile, EditReport } from "../../../model/edits.ts";
import { shownPath } from "../../shown-path.ts";
import { changeLines } from "./changes.ts";

/** The most broken files and the most changed definitions of a note, which an agent reads after an edit. */
const MAX_EACH = 5;

/** Writes what an edit probably broke; an empty text if all is well. */
export function renderEditReport({ broken, changes }: EditReport): string {
  const definitions = changes.flatMap(({ path, symbols }) => symbols.map((symbol) => ({ path, symbol })));
  const lines = [
    ...broken.slice(0, MAX_EACH).map(brokenLine),
    ...definitions
      .slice(0, MAX_EACH)
      .flatMap(({ path, symbol }) => [shownPath(path), ...changeLines(symbol, false)]),
  ];
  const left = [
    ...(broken.length > MAX_EACH ? [`+${broken.length - MAX_EACH} more files that do not parse`] : []),
    ...(definitions.length > MAX_EACH
      ? [`+${definitions.length - MAX_EACH} more definitions whose users did not change`]
      : []),
  ];
  return lines.length === 0 ? "" : ["Pith checked this edit:", ...lines, ...left].join("\n");
}

function brokenLine({ path, line, editedFrom, editedTo }: BrokenFile): string {
  const place = line === undefined ? shownPath(path) : `${shownPath(path)}:${line}`;
  const edited = editedFrom === editedTo ? `line ${editedFrom}` : `lines ${editedFrom}-${editedTo}`;
  return `${place} syntax error since this edit (of ${edited})`;
}
