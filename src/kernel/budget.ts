import { countCharacters, firstCharacters } from "./characters.ts";
import { estimateTokens } from "./tokens.ts";

/**
 * The largest size of a reply, whatever the call asked for. The strictest known MCP client truncates a reply at about
 * this size.
 */
export const MAX_TOKENS_CEILING = 9_000;
export const MAX_CHARACTERS = 38_000;

/**
 * The factor by which token estimates are increased. Text full of rare names can hold a tenth more tokens than
 * estimated; this covers most of the difference.
 */
export const TOKEN_SAFETY_FACTOR = 1.08;

/**
 * A reply shows at least this many characters of a text, even if its budget is used up, so that a reader who continues
 * from there makes progress.
 */
const MIN_BEGINNING_CHARACTERS = 40;

/**
 * Counts how much text a reply may still hold. Renderers ask it before they add a part to the reply, and count what
 * they leave out.
 */
export class Budget {
  readonly maxTokens: number;
  #tokens = 0;
  #characters = 0;

  constructor(maxTokens: number) {
    this.maxTokens = Math.min(maxTokens, MAX_TOKENS_CEILING);
  }

  /** Reserves room for the text if there is enough, and returns whether there was. */
  take(text: string): boolean {
    const hasRoom = this.#hasRoomFor(text);
    if (hasRoom) this.reserve(text);
    return hasRoom;
  }

  /** Reserves room for as many leading items as fit and returns them; the caller reports how many were left out. */
  fit<T>(items: Iterable<T>, write: (item: T) => string): T[] {
    const fitting: T[] = [];
    for (const item of items) {
      if (!this.take(write(item))) break;
      fitting.push(item);
    }
    return fitting;
  }

  /**
   * Reserves room for the longest prefix of a text that fits, and at least for a few words: a reader who repeatedly continues where the
   * reply stopped must reach the end of the text.
   */
  fitBeginning(text: string, write: (beginning: string) => string = (beginning) => beginning): string {
    const length = countCharacters(text);
    const fits = (characters: number): boolean => this.#hasRoomFor(write(firstCharacters(text, characters)));
    // The text may be far longer than the budget allows, so the search doubles the length from the start before it
    // bisects.
    let least = Math.min(MIN_BEGINNING_CHARACTERS, length);
    let most = length;
    for (let next = least * 2; next < length; next *= 2) {
      if (!fits(next)) {
        most = next - 1;
        break;
      }
      least = next;
    }
    while (least < most) {
      const middle = Math.ceil((least + most) / 2);
      if (fits(middle)) least = middle;
      else most = middle - 1;
    }
    const beginning = firstCharacters(text, least);
    this.reserve(write(beginning));
    return beginning;
  }

  /**
   * Takes room for text that must be shown even if the budget is used up, such as the line that says what was left out.
   */
  reserve(text: string): void {
    this.#tokens += estimateTokens(text) * TOKEN_SAFETY_FACTOR;
    this.#characters += text.length;
  }

  #hasRoomFor(text: string): boolean {
    const tokens = estimateTokens(text) * TOKEN_SAFETY_FACTOR;
    return this.#tokens + tokens <= this.maxTokens && this.#characters + text.length <= MAX_CHARACTERS;
  }

  get remainingTokens(): number {
    return Math.max(0, Math.floor(this.maxTokens - this.#tokens));
  }

  get remainingCharacters(): number {
    return Math.max(0, MAX_CHARACTERS - this.#characters);
  }
}
