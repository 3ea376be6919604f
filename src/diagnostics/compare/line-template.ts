import { contentId } from "../../kernel/ids.ts";

/** Upper bound on the templates that are remembered of one log; lines with further ones count as known. */
const MAX_TEMPLATES = 500_000;
/** Lines are compared by this many leading characters. */
const MAX_COMPARED = 400;
/** Templates longer than this are remembered by their hash. */
const MAX_KEPT = 60;

/** Matches what differs between two runs of the same job: UUIDs, hashes, addresses, names of temporary files, numbers and times. */
const VARIABLE =
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b|\/tmp\/[^\s/:'"]+|\d+(?:[.,:]\d+)*/gi;

/** Returns a line without times, ids, counts and colours of blanks, so that the same message of two runs is the same text. */
export function templateOf(text: string): string {
  return text.slice(0, MAX_COMPARED).replace(VARIABLE, "0").replace(/\s+/g, " ").trim();
}

/** The templates of the lines of one log. */
export class LineTemplates {
  readonly #known = new Set<string>();

  add(text: string): void {
    if (this.#known.size < MAX_TEMPLATES) this.#known.add(keyOf(text));
  }

  /** Returns whether the log has a line like this one. A log with too many different lines is taken to have it. */
  has(text: string): boolean {
    return this.#known.size >= MAX_TEMPLATES || this.#known.has(keyOf(text));
  }
}

function keyOf(text: string): string {
  const template = templateOf(text);
  return template.length > MAX_KEPT ? contentId(template) : template;
}
