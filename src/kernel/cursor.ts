import { PithError } from "./errors.ts";
import { contentId } from "./ids.ts";

/**
 * A cursor holds all it needs, so it survives a restart: where to go on, and a fingerprint of the question, so that it
 * cannot be used with another one.
 */
export function encodeCursor(question: unknown, offset: number): string {
  return `${offset.toString(36)}.${fingerprint(question)}`;
}

/** The offset a cursor stands for; 0 without one. */
export function decodeCursor(question: unknown, cursor: string | undefined): number {
  if (cursor === undefined || cursor === "") return 0;
  const [offset = "", print] = cursor.split(".");
  const value = Number.parseInt(offset, 36);
  if (print === fingerprint(question) && /^[0-9a-z]{1,11}$/.test(offset) && Number.isSafeInteger(value))
    return value;
  throw new PithError(
    "result_not_found",
    `cursor ${JSON.stringify(cursor.slice(0, 40))} does not belong to this call`,
    {
      suggestion:
        "Repeat the call with the same arguments as the one that gave the cursor, or without a cursor.",
    },
  );
}

function fingerprint(question: unknown): string {
  return contentId(JSON.stringify(question), 6);
}
