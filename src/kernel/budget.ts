import { countCharacters, firstCharacters } from "./characters.ts";
import { estimateTokens } from "./tokens.ts";

/** The tightest real client cuts a result at about this size, whatever was asked for. */
export const MAX_TOKENS_CEILING = 9_000;
export const MAX_CHARACTERS = 38_000;

/** Text full of rare names holds up to a tenth more tokens than the estimate says; budgets keep most of that room. */
export const SAFETY = 1.08;

/** So many characters of a text are shown however little room there is. */
const LEAST_BEGINNING = 40;

/**
 * How much text a reply may still hold. Renderers ask before they add a piece and count what they leave out.
 */
export class Budget {
  readonly maxTokens: number;
  #tokens = 0;
  #characters = 0;

  constructor(maxTokens: number) {
    this.maxTokens = Math.min(maxTokens, MAX_TOKENS_CEILING);
  }

  /** Takes room for the text if there is enough, and says whether there was. */
  take(text: string): boolean {
    const hasRoom = this.#hasRoomFor(text);
    if (hasRoom) this.reserve(text);
    return hasRoom;
  }

  /** Takes room for as many of the items as there is room for, in their order; the caller accounts for the others. */
  fit<T>(items: Iterable<T>, write: (item: T) => string): T[] {
    const fitting: T[] = [];
    for (const item of items) {
      if (!this.take(write(item))) break;
      fitting.push(item);
    }
    return fitting;
  }

  /**
   * Takes room for the longest beginning of a text that there is room for, and for a few words of it where there is none:
   * a reader who goes on where it ends comes to the end of the text.
   */
  fitBeginning(text: string, write: (beginning: string) => string = (beginning) => beginning): string {
    const length = countCharacters(text);
    const fits = (characters: number): boolean => this.#hasRoomFor(write(firstCharacters(text, characters)));
    // The text may be much longer than the room: it is measured in steps from its beginning.
    let least = Math.min(LEAST_BEGINNING, length);
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

  /** Sets room aside for text that must be there, such as the line that says what was cut. */
  reserve(text: string): void {
    this.#tokens += estimateTokens(text) * SAFETY;
    this.#characters += text.length;
  }

  #hasRoomFor(text: string): boolean {
    const tokens = estimateTokens(text) * SAFETY;
    return this.#tokens + tokens <= this.maxTokens && this.#characters + text.length <= MAX_CHARACTERS;
  }

  get remainingTokens(): number {
    return Math.max(0, Math.floor(this.maxTokens - this.#tokens));
  }

  get remainingCharacters(): number {
    return Math.max(0, MAX_CHARACTERS - this.#characters);
  }
}
