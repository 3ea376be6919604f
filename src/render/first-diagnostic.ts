import type { Budget } from "../kernel/budget.ts";
import { cutText } from "../kernel/cut-text.ts";
import type { DiagnosticGroup } from "../model/diagnostic-group.ts";
import { piecesInFile, type PieceStyle } from "./group-pieces.ts";

/** With less of a message nobody can act on it. */
const MIN_CHARACTERS = 40;
/** A token has hardly more characters; shortened by a quarter until it fits. */
const CHARACTERS_A_TOKEN = 6;
const SHORTER = 0.75;

/** Where not even the first diagnostic fits: its place, and as much of its message as does. */
export function beginningOfFirst(
  groups: readonly DiagnosticGroup[],
  budget: Budget,
  style: PieceStyle,
): string | undefined {
  const [group] = groups;
  const file = group?.files[0];
  const [place] = file?.places ?? [];
  if (group === undefined || file === undefined || place === undefined) return undefined;
  const [piece] = piecesInFile(group, { ...file, places: [place] }, style);
  if (piece === undefined) return undefined;
  const whole = [...piece.heads, piece.text.trim()].filter(Boolean).join(":");
  for (
    let length = Math.min(whole.length, budget.remainingTokens * CHARACTERS_A_TOKEN);
    length >= MIN_CHARACTERS;
    length = Math.floor(length * SHORTER)
  ) {
    const text =
      length === whole.length ? whole : `${cutText(whole, length)}… (+${whole.length - length} characters)`;
    if (budget.take(`${text}\n`)) return text;
  }
  return undefined;
}
