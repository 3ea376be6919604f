import type { DiagnosticGroup, GroupedFile } from "../../model/diagnostic-group.ts";
import { costOf, groupPieces, type Piece, piecesInFile, type PieceStyle } from "./group-pieces.ts";

/** What is said of one file: all of a group, or the part of it that is about the file. */
interface Said {
  readonly group: DiagnosticGroup;
  readonly file: GroupedFile;
}

/** The list in pieces: a message with its files, or a file with its messages, whichever names less twice. Keeps the order of severities. */
export function* piecesOf(groups: readonly DiagnosticGroup[], style: PieceStyle): Generator<Piece> {
  const byFile = saidByFile(groups, style);
  const done = new Set<string>();
  for (const group of groups) {
    const keys = group.files.map((file) => keyOf(group, file));
    const isListed = keys.every((key) => byFile.get(key)?.some((said) => said.group === group));
    const [key] = keys;
    if (!isListed || (keys.length === 1 && key !== undefined && byFile.get(key)?.length === 1))
      yield* groupPieces(group, style);
    else
      for (const fileKey of keys) {
        if (done.has(fileKey)) continue;
        done.add(fileKey);
        for (const said of byFile.get(fileKey) ?? []) yield* piecesInFile(said.group, said.file, style);
      }
  }
}

/** What is listed below each file: groups that are about it alone and, in a dense list, groups that cost less at each of their files. */
function saidByFile(groups: readonly DiagnosticGroup[], style: PieceStyle): Map<string, Said[]> {
  const byFile = new Map<string, Said[]>();
  const list = (group: DiagnosticGroup): void => {
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
  for (const group of hasFiles) if (group.files.length === 1) list(group);
  if (style.dense)
    for (const group of hasFiles.slice(0, MAX_COMPARED))
      if (isOfFewFiles(group) && costsLessApart(group, byFile, style)) list(group);
  return byFile;
}

/** Of more groups none is shown: the largest reply ends before. */
const MAX_COMPARED = 600;

/** With more files a message is hardly shorter than their names. */
const FEW_FILES = 6;

function isOfFewFiles({ files }: DiagnosticGroup): boolean {
  return files.length > 1 && files.length <= FEW_FILES;
}

function keyOf({ severity }: DiagnosticGroup, { file }: GroupedFile): string {
  return `${severity} ${file}`;
}

function costsLessApart(
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
