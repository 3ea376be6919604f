import { estimateTokens } from "./tokens.ts";

/** The tightest real client cuts a result at about this size, whatever was asked for. */
export const MAX_TOKENS_CEILING = 9_000;
export const MAX_CHARACTERS = 38_000;

/** Text full of rare names holds up to a tenth more tokens than the estimate says; budgets keep most of that room. */
export const SAFETY = 1.08;

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
    const tokens = estimateTokens(text) * SAFETY;
    if (this.#tokens + tokens > this.maxTokens || this.#characters + text.length > MAX_CHARACTERS)
      return false;
    this.#tokens += tokens;
    this.#characters += text.length;
    return true;
  }

  /** Sets room aside for text that must be there, such as the line that says what was cut. */
  reserve(text: string): void {
    this.#tokens += estimateTokens(text) * SAFETY;
    this.#characters += text.length;
  }

  get remainingTokens(): number {
    return Math.max(0, Math.floor(this.maxTokens - this.#tokens));
  }

  get remainingCharacters(): number {
    return Math.max(0, MAX_CHARACTERS - this.#characters);
  }
}
