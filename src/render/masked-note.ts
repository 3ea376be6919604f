import { pluralize } from "../kernel/pluralize.ts";
import { type Masked, maskedAt, type MaskedSecret } from "../model/masked.ts";
import type { LogLine, Run } from "../model/run.ts";
import { jsonReply, type Rendered } from "./rendered.ts";

/**
 * Matches the texts that replace secrets (see security/secrets/mask.ts). The consecutive masked lines of a private key
 * count as one secret.
 */
const MASKS = /\(secret-masked\)|\(key-masked\)(?:[^(]{0,40}\(key-masked\))*/g;
/** The most places of secrets that the note in a text reply names; a JSON reply has all that are known. */
const MAX_NAMED_PLACES = 5;
/** An example of the note on masked secrets without its places; its length is reserved in the budget. */
const SAMPLE =
  '[123 secrets masked in the log: lines , , , ,  and 123 more],"masked":{"count":123,"places":["","","","",""]}';

/** A text as long as the note on masked secrets, for reserving budget; empty if nothing is masked. */
export function maskedNoteSample(masked: Masked | undefined): string {
  return masked === undefined ? "" : SAMPLE + masked.places.join(" ");
}

/**
 * Counts the masked secrets that a reply shows. If it shows only some of the given ones, it is not known which, so
 * their places are left out.
 */
export function shownSecrets(
  secrets: readonly (MaskedSecret & { readonly path?: string })[],
  text: string,
): Masked | undefined {
  const count = Math.min(secrets.length, countMasks(text));
  if (count === 0) return undefined;
  return count === secrets.length ? maskedAt(secrets) : { count, places: [] };
}

/** Adds the masked secrets of a run's log to a reply about the run. */
export function withRunMasked(rendered: Rendered, { findings }: Run): Rendered {
  return withLogMasked(rendered, findings?.masked);
}

/**
 * Adds the masked secrets of the whole log to a reply that shows masked text. If the log has no record of them, only
 * those in the reply are counted.
 */
export function withLogMasked(rendered: Rendered, inLog: Masked | undefined): Rendered {
  const count = countMasks(rendered.text);
  if (count === 0) return rendered;
  if (inLog === undefined) return { ...rendered, masked: { count, places: [] } };
  return { ...rendered, masked: inLog, maskedIn: "log" };
}

/**
 * The masked secrets in lines of a log. If the record of the run says that nothing was masked, the command itself
 * printed the text of the mask.
 */
export function maskedLines(
  lines: readonly Pick<LogLine, "number" | "text">[],
  { findings }: Run,
): readonly MaskedSecret[] {
  if (findings !== undefined && findings.masked === undefined) return [];
  const secrets: MaskedSecret[] = [];
  for (const { number, text } of lines)
    for (const [mask] of text.matchAll(MASKS)) {
      const last = secrets.at(-1);
      const goesOn = mask.startsWith("(key") && last?.lastLine === number - 1;
      if (goesOn) secrets[secrets.length - 1] = { ...last, lastLine: number };
      else secrets.push({ line: number, lastLine: number });
    }
  return secrets;
}

function countMasks(text: string): number {
  return text.match(MASKS)?.length ?? 0;
}

/**
 * Adds the note on masked secrets to a reply: as a last line or, in JSON, as a field. It is added to the metadata too.
 */
export function withMaskedNote(rendered: Rendered): Rendered {
  const { masked, json, stderrNote } = rendered;
  if (masked === undefined) return rendered;
  const noted = { ...rendered, meta: { ...rendered.meta, masked } };
  if (json !== undefined) return jsonReply({ ...json, masked }, noted);
  const note = `[${maskedWords(masked, rendered.maskedIn)}]`;
  if (stderrNote === undefined) return { ...noted, text: `${rendered.text}\n${note}` };
  return { ...noted, stderrNote: [stderrNote, note].filter(Boolean).join("\n") };
}

/** Writes the note on masked secrets: `2 secrets masked: lines 14, 31`. */
function maskedWords({ count, places }: Masked, maskedIn: Rendered["maskedIn"]): string {
  const head = `${pluralize(count, "secret")} masked${maskedIn === undefined ? "" : ` in the ${maskedIn}`}`;
  if (places.length === 0) return head;
  const named = places.slice(0, MAX_NAMED_PLACES);
  const more = places.length > named.length ? ` and ${places.length - named.length} more` : "";
  const areLines = named.every((place) => /^[\d-]+$/.test(place));
  const isOne = places.length === 1 && !named[0]?.includes("-");
  return `${head}: ${areLines ? `line${isOne ? "" : "s"} ` : ""}${named.join(", ")}${more}`;
}
