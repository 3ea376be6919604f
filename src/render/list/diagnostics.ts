import type { Budget } from "../../kernel/budget.ts";
import { countCharacters } from "../../kernel/characters.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import { baseLine, findBase, relativeTo } from "./base-folder.ts";
import { shareBeginnings } from "./shared-beginnings.ts";
import { addFootnotes } from "./footnotes.ts";
import { piecesInFile, type PieceStyle } from "./group-pieces.ts";
import { layOutPieces } from "./layout.ts";
import type { ListStyle } from "./places.ts";
import { pairMessages } from "./paired-messages.ts";

export interface RenderedDiagnostics {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/** The style of a list that need not save tokens. */
const EASY: ListStyle = { dense: false, letters: true };

/**
 * Writes diagnostics in few tokens: each message once, with gaps (`…`) for the words that differ, and `file:lines`
 * below it. Several messages about one file are listed below that file. What all paths have in common is written once,
 * before the list.
 */
export function renderDiagnostics(
  groups: readonly DiagnosticGroup[],
  budget: Budget,
  list: ListStyle = EASY,
): RenderedDiagnostics {
  const total = groups.reduce((sum, group) => sum + group.count, 0);
  const style = { ...list, namesTools: new Set(groups.map((group) => group.tool)).size > 1 };
  const base = findBase(groups, style.dense);
  const noted = addFootnotes(explainOnce(relativeTo(groups, base)));
  const lines = [baseLine(base)].filter(Boolean);
  budget.reserve(lines.join());
  let shown = 0;
  let above: readonly string[] = [];
  const pieces = style.dense
    ? shareBeginnings(layOutPieces(pairMessages(noted.groups), style))
    : layOutPieces(noted.groups, style);
  for (const piece of pieces) {
    const known = piece.heads.findIndex((head, index) => head !== above[index]);
    const heads = known < 0 ? [] : piece.heads.slice(known);
    const own = [...heads, piece.text].join("\n");
    const text = [...noted.notesFor(own), own].join("\n");
    if (!budget.take(`${text}\n`)) break;
    lines.push(text);
    shown += piece.diagnostics;
    above = piece.heads;
  }
  if (shown > 0) return { text: lines.join("\n"), shown, total };
  const first = truncateFirst(groups, budget, style);
  return first === undefined ? { text: "", shown, total } : { text: first, shown: 1, total };
}

/** The fewest tokens for which a truncated message is shown; nobody can act on a shorter beginning. */
const MIN_TOKENS = 20;

/** The first diagnostic, truncated to a budget into which not even one diagnostic fits. */
function truncateFirst(
  groups: readonly DiagnosticGroup[],
  budget: Budget,
  style: PieceStyle,
): string | undefined {
  if (budget.remainingTokens < MIN_TOKENS) return undefined;
  const [group] = groups;
  const file = group?.files[0];
  const [place] = file?.places ?? [];
  if (group === undefined || file === undefined || place === undefined) return undefined;
  const [piece] = piecesInFile(group, { ...file, places: [place] }, style);
  if (piece === undefined) return undefined;
  const whole = [...piece.heads, piece.text.trim()].filter(Boolean).join(":");
  const written = (text: string): string => {
    const left = countCharacters(whole.slice(text.length));
    return left === 0 ? text : `${text}… (+${left} characters)`;
  };
  const beginning = budget.fitBeginning(whole, (text) => `${written(text)}\n`);
  return written(beginning);
}

/** Keeps the help and the link of a linter or compiler rule only at its first use in the list. */
function explainOnce(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  const seen = new Set<string>();
  return groups.map(({ url, help, ...group }) => {
    // If diagnostics have no code, only an equal message shows that they are of the same rule.
    const rule = group.code ?? group.template;
    const newHelp = help?.filter((line) => !seen.has(`${rule}\0${line}`));
    for (const line of newHelp ?? []) seen.add(`${rule}\0${line}`);
    const known = [group.template, ...(help ?? [])].some((text) => url !== undefined && text.includes(url));
    const newUrl = url === undefined || known || seen.has(url) ? undefined : url;
    if (newUrl !== undefined) seen.add(newUrl);
    return {
      ...group,
      ...(newUrl === undefined ? {} : { url: newUrl }),
      ...(newHelp === undefined || newHelp.length === 0 ? {} : { help: newHelp }),
    };
  });
}
