import { PrunerFailure } from "./failure.ts";

/** Matches the text that the pruning service puts in place of removed lines. */
const MARKER = /^\s*\(filtered \d+ lines?\)\s*$/;

/**
 * Returns the indexes of the lines that a response of the pruning service keeps. Line numbers in `kept_frags` take
 * precedence over a returned text, which is accepted only if its lines are input lines in the same order.
 */
export function keptLines(body: unknown, lines: readonly string[]): ReadonlySet<number> {
  if (!isObject(body)) throw new PrunerFailure("invalid_response", "not a JSON object");
  const { error_msg: problem, kept_frags: numbers } = body;
  if (typeof problem === "string" && problem !== "")
    throw new PrunerFailure("invalid_response", problem.slice(0, 200));
  if (numbers !== undefined && numbers !== null) return fromNumbers(numbers, lines.length);
  const text = [body["pruned_code"], body["content"], body["text"]].find(
    (value) => typeof value === "string",
  );
  if (typeof text !== "string") throw new PrunerFailure("invalid_response", "neither kept_frags nor a text");
  return fromText(text, lines);
}

function fromNumbers(numbers: unknown, total: number): ReadonlySet<number> {
  if (!Array.isArray(numbers)) throw new PrunerFailure("invalid_response", "kept_frags is not a list");
  const kept = new Set<number>();
  let last = 0;
  for (const number of numbers) {
    if (!Number.isInteger(number) || number <= last || number > total)
      throw new PrunerFailure(
        "invalid_response",
        `kept_frags has ${JSON.stringify(number)?.slice(0, 40)} of ${total} lines`,
      );
    kept.add(number - 1);
    last = number;
  }
  return kept;
}

function fromText(text: string, lines: readonly string[]): ReadonlySet<number> {
  const kept = new Set<number>();
  let at = 0;
  for (const wanted of text.split("\n")) {
    if (MARKER.test(wanted) || (wanted === "" && kept.size === 0)) continue;
    const found = lines.indexOf(wanted, at);
    if (found === -1 && wanted === "") continue;
    if (found === -1)
      throw new PrunerFailure("invalid_response", "the text contains lines that were not sent");
    kept.add(found);
    at = found + 1;
  }
  return kept;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
