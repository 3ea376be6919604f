import type { Budget } from "../../kernel/budget.ts";
import { countCharacters } from "../../kernel/characters.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import { piecesOf } from "./list-pieces.ts";

export interface RenderedDiagnostics {
  readonly text: string;
  readonly shown: number;
  readonly total: number;
}

/**
 * Writes diagnostics so that a reader needs no key: `file:lines severity rule: message`. Several messages about one file
 * are listed below that file, and a message about several files is written once, with its places below it.
 */
export function renderDiagnostics(groups: readonly DiagnosticGroup[], budget: Budget): RenderedDiagnostics {
  const total = countDiagnostics(groups);
  const lines: string[] = [];
  let shown = 0;
  let above: readonly string[] = [];
  for (const piece of piecesOf(explainOnce(groups), hasSeveralTools(groups))) {
    const known = piece.heads.findIndex((head, index) => head !== above[index]);
    const heads = known < 0 ? [] : piece.heads.slice(known);
    const text = [...heads, piece.text].join("\n");
    if (!budget.take(`${text}\n`)) break;
    lines.push(text);
    shown += piece.diagnostics;
    above = piece.heads;
  }
  if (shown > 0) return { text: lines.join("\n"), shown, total };
  const first = truncateFirst(groups, budget);
  return first === undefined ? { text: "", shown, total } : { text: first, shown: 1, total };
}

export function countDiagnostics(groups: readonly DiagnosticGroup[]): number {
  return groups.reduce((sum, group) => sum + group.count, 0);
}

/** Checks whether diagnostics come from several tools, so that each message has to name its tool. */
export function hasSeveralTools(groups: readonly DiagnosticGroup[]): boolean {
  return new Set(groups.map((group) => group.tool)).size > 1;
}

/** The fewest tokens for which a truncated message is shown; nobody can act on a shorter beginning. */
const MIN_TOKENS = 20;

/** The first diagnostic, truncated to a budget into which not even one diagnostic fits. */
function truncateFirst(groups: readonly DiagnosticGroup[], budget: Budget): string | undefined {
  if (budget.remainingTokens < MIN_TOKENS) return undefined;
  const [group] = groups;
  const [file] = group?.files ?? [];
  const [place] = file?.places ?? [];
  if (group === undefined || file === undefined || place === undefined) return undefined;
  const first = { ...group, files: [{ ...file, places: [place] }] };
  const [piece] = piecesOf([first], hasSeveralTools(groups));
  if (piece === undefined) return undefined;
  const written = (text: string): string => {
    const left = countCharacters(piece.text.slice(text.length));
    return left === 0 ? text : `${text}… (+${left} characters)`;
  };
  return written(budget.fitBeginning(piece.text, (text) => `${written(text)}\n`));
}

/** Keeps the help and the link of a linter or compiler rule only at its first use in the list. */
function explainOnce(groups: readonly DiagnosticGroup[]): DiagnosticGroup[] {
  const seen = new Set<string>();
  return groups.map(({ url, help, ...group }) => {
    // If diagnostics have no code, only an equal message shows that they are of the same rule.
    const rule = group.code ?? group.message;
    const newHelp = help?.filter((line) => !seen.has(`${rule}\0${line}`));
    for (const line of newHelp ?? []) seen.add(`${rule}\0${line}`);
    const known = [group.message, ...(help ?? [])].some((text) => url !== undefined && text.includes(url));
    const newUrl = url === undefined || known || seen.has(url) ? undefined : url;
    if (newUrl !== undefined) seen.add(newUrl);
    return {
      ...group,
      ...(newUrl === undefined ? {} : { url: newUrl }),
      ...(newHelp === undefined || newHelp.length === 0 ? {} : { help: newHelp }),
    };
  });
}
