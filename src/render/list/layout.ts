import type { DiagnosticGroup, GroupedFile } from "../../model/diagnostic-group.ts";
import { costOf, groupPieces, type Piece, piecesInFile, type PieceStyle } from "./group-pieces.ts";

/** The diagnostics of a group (with one message) that are about one file. */
interface FilePart {
  readonly group: DiagnosticGroup;
  readonly file: GroupedFile;
}

/**
 * Splits a list of diagnostics into pieces that are printed whole or not at all: a message with its files, or a file
 * with its messages, whichever repeats less. Errors stay before warnings.
 */
export function* layOutPieces(groups: readonly DiagnosticGroup[], style: PieceStyle): Generator<Piece> {
  const byFile = partsByFile(groups, style);
  const done = new Set<string>();
  for (const group of groups) {
    const keys = group.files.map((file) => keyOf(group, file));
    const isListed = keys.every((key) => byFile.get(key)?.some((part) => part.group === group));
    const [key] = keys;
    if (!isListed || (keys.length === 1 && key !== undefined && byFile.get(key)?.length === 1))
      yield* groupPieces(group, style);
    else
      for (const fileKey of keys) {
        if (done.has(fileKey)) continue;
        done.add(fileKey);
        for (const part of byFile.get(fileKey) ?? []) yield* piecesInFile(part.group, part.file, style);
      }
  }
}

/**
 * Collects the messages to list below each file: those about that file alone and, in a dense list, those that cost
 * fewer tokens if they are repeated at each of their files.
 */
function partsByFile(groups: readonly DiagnosticGroup[], style: PieceStyle): Map<string, FilePart[]> {
  const byFile = new Map<string, FilePart[]>();
  const add = (group: DiagnosticGroup): void => {
    for (const file of group.files) {
      const key = keyOf(group, file);
      const known = byFile.get(key);
      if (known === undefined) byFile.set(key, [{ group, file }]);
      else known.push({ group, file });
    }
  };
  const hasFiles = groups.filter(
    (group) => group.other === undefined && group.files.every(({ file }) => file !== undefined),
  );
  for (const group of hasFiles) if (group.files.length === 1) add(group);
  if (style.dense)
    for (const group of hasFiles.slice(0, MAX_COMPARED))
      if (hasFewFiles(group) && costsLessByFile(group, byFile, style)) add(group);
  return byFile;
}

/** The most messages that are compared for the cheaper layout; the largest reply ends before it shows more. */
const MAX_COMPARED = 600;

/** The most files of a message that may be repeated at each of its files. */
const MAX_FILES = 6;

function hasFewFiles({ files }: DiagnosticGroup): boolean {
  return files.length > 1 && files.length <= MAX_FILES;
}

function keyOf({ severity }: DiagnosticGroup, { file }: GroupedFile): string {
  return `${severity} ${file}`;
}

function costsLessByFile(
  group: DiagnosticGroup,
  byFile: ReadonlyMap<string, unknown>,
  style: PieceStyle,
): boolean {
  const together = costOf(groupPieces(group, style));
  let apart = 0;
  for (const file of group.files) {
    const pieces = piecesInFile(group, file, style);
    const isNamed = byFile.has(keyOf(group, file));
    apart += costOf(isNamed ? pieces.map((piece) => ({ ...piece, heads: piece.heads.slice(1) })) : pieces);
    if (apart >= together) return false;
  }
  return true;
}
