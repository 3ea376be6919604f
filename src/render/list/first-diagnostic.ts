import type { Budget } from "../../kernel/budget.ts";
import { countCharacters } from "../../kernel/characters.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import { piecesInFile, type PieceStyle } from "./group-pieces.ts";

/** With less of a message nobody can act on it. */
const LEAST_TOKENS = 20;

/** Where not even the first diagnostic fits: its place, and as much of its message as does. */
export function beginningOfFirst(
  groups: readonly DiagnosticGroup[],
  budget: Budget,
  style: PieceStyle,
): string | undefined {
  if (budget.remainingTokens < LEAST_TOKENS) return undefined;
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
