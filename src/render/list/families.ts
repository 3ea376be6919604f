import { estimateTokens } from "../../kernel/tokens.ts";
import type { Piece } from "./group-pieces.ts";

/** A line of its own has to save so many tokens. */
const MIN_SAVED = 5;

/** Pieces of one message, or of several whose messages begin alike. */
interface Family {
  readonly pieces: Piece[];
  /** What all messages begin with, up to a blank. */
  start: string;
  messages: number;
}

/**
 * Says the beginning that messages one after another share once, above what they go on with:
 * `Incompatible types in …` and below it ` … assignment` and ` … return`.
 */
export function* inFamilies(pieces: Iterable<Piece>): Generator<Piece> {
  let family: Family | undefined;
  for (const piece of pieces) {
    if (family !== undefined && takesIn(family, piece)) continue;
    yield* written(family);
    family = { pieces: [piece], start: messageOf(piece) ?? "", messages: 1 };
  }
  yield* written(family);
}

function messageOf({ heads, message }: Piece): string | undefined {
  return message === undefined ? undefined : heads[message];
}

/** Adds a piece to a family where its message is the last one, or begins so much like the others that it saves more. */
function takesIn(family: Family, piece: Piece): boolean {
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

/** The dots and the line end of the beginning, and the dots of each message. */
function saved(start: string, messages: number): number {
  return (messages - 1) * estimateTokens(start) - 2 - messages;
}

/** What two messages begin with, up to a blank in the first line, with something behind it in both. */
export function sharedStart(one: string, other: string): string {
  let same = 0;
  while (same < one.length && one[same] === other[same] && one[same] !== "\n") same++;
  return one.slice(0, one.lastIndexOf(" ", same - 1) + 1);
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
          `${" ".repeat(message + 1)}… ${deeper((heads[message] ?? "").slice(start.length))}`,
          ...heads.slice(message + 1).map((head) => ` ${deeper(head)}`),
        ],
        text: ` ${deeper(text)}`,
      };
  }
}

function deeper(text: string): string {
  return text.replaceAll("\n", "\n ");
}
