import { estimateTokens } from "../../kernel/tokens.ts";
import type { Piece } from "./group-pieces.ts";
import { sharedStart } from "./paired-messages.ts";

/** The fewest tokens that the shared beginning of messages must save to be written on a line of its own. */
const MIN_SAVED = 5;

/** A family: consecutive pieces of the list whose messages begin with the same words. */
interface Family {
  readonly pieces: Piece[];
  /** The words that all messages of the family begin with, up to a space. */
  start: string;
  messages: number;
}

/**
 * Writes the beginning that consecutive messages share once, above their different endings:
 * `Incompatible types in …` and below it ` … assignment` and ` … return`.
 */
export function* shareBeginnings(pieces: Iterable<Piece>): Generator<Piece> {
  let family: Family | undefined;
  for (const piece of pieces) {
    if (family !== undefined && addTo(family, piece)) continue;
    yield* written(family);
    family = { pieces: [piece], start: messageOf(piece) ?? "", messages: 1 };
  }
  yield* written(family);
}

function messageOf({ heads, message }: Piece): string | undefined {
  return message === undefined ? undefined : heads[message];
}

/**
 * Adds a piece of the list to the family if it has the same message as the last piece, or if sharing the beginning of
 * its message saves more tokens than before. Returns whether it was added.
 */
function addTo(family: Family, piece: Piece): boolean {
  const [last, message] = [family.pieces.at(-1), messageOf(piece)];
  if (last === undefined || message === undefined || last.message !== piece.message) return false;
  if (piece.heads.slice(0, piece.message).some((head, level) => head !== last.heads[level])) return false;
  if (message !== messageOf(last)) {
    const start = sharedStart(family.start, message);
    const messages = family.messages + 1;
    if (saved(start, messages) < Math.max(MIN_SAVED, saved(family.start, family.messages) + 1)) return false;
    Object.assign(family, { start, messages });
  }
  family.pieces.push(piece);
  return true;
}

/** The tokens that a shared beginning saves, minus the cost of its own line and of the dots at each message. */
function saved(start: string, messages: number): number {
  return (messages - 1) * estimateTokens(start) - 2 - messages;
}

function* written(family: Family | undefined): Generator<Piece> {
  if (family === undefined) return;
  const { pieces, start, messages } = family;
  for (const piece of pieces) {
    const { heads, message = 0, text } = piece;
    if (messages === 1) yield piece;
    else
      yield {
        ...piece,
        heads: [
          ...heads.slice(0, message),
          `${start}…`,
          `${" ".repeat(message + 1)}… ${indented((heads[message] ?? "").slice(start.length))}`,
          ...heads.slice(message + 1).map((head) => ` ${indented(head)}`),
        ],
        text: ` ${indented(text)}`,
      };
  }
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n ");
}
