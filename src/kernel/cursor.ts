import { PithError } from "./errors.ts";
import { contentId } from "./ids.ts";

/**
 * A cursor is stateless, so it survives a restart: it holds the offset to continue from and a fingerprint of the call's arguments, so that
 * it cannot be used with a different call.
 */
export function encodeCursor(question: unknown, offset: number): string {
  return `${offset.toString(36)}.${fingerprint(question)}`;
}

/** Returns the offset that a cursor encodes, or 0 without a cursor. */
export function decodeCursor(question: unknown, cursor: string | undefined): number {
  if (cursor === undefined || cursor === "") return 0;
  const [offset = "", print] = cursor.split(".");
  const value = Number.parseInt(offset, 36);
  if (print === fingerprint(question) && /^[0-9a-z]{1,11}$/.test(offset) && Number.isSafeInteger(value))
    return value;
  throw new PithError(
    "result_not_found",
    `cursor ${JSON.stringify(cursor.slice(0, 40))} does not belong to this question`,
    {
      suggestion: "Ask again with exactly what gave the cursor, or without a cursor.",
    },
  );
}

function fingerprint(question: unknown): string {
  return contentId(JSON.stringify(question), 6);
}
