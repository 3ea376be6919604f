import { HttpError } from "../http/body.ts";

/** Upper bound on the length of one parameter. No path, pattern or question is longer. */
const MAX_LENGTH = 32_768;

/** The parameters of a request, each checked when it is read. */
export interface Parameters {
  /** A text; throws if it is missing and there is no default. */
  text(name: string, fallback?: string): string;
  optional(name: string): string | undefined;
  whole(
    name: string,
    options: { readonly fallback: number; readonly min: number; readonly max: number },
  ): number;
  choice<T extends string>(name: string, choices: readonly [T, ...T[]]): T;
  flag(name: string): boolean;
}

export function readParameters(received: unknown): Parameters {
  if (typeof received !== "object" || received === null || Array.isArray(received))
    throw new HttpError(400, "The body must be a JSON object");
  const values = new Map<string, unknown>(Object.entries(received));
  const optional = (name: string): string | undefined => {
    const value = values.get(name);
    if (value === undefined || value === "") return undefined;
    if (typeof value !== "string" || value.length > MAX_LENGTH)
      throw new HttpError(400, `${name} must be a text of at most ${MAX_LENGTH} characters`);
    return value;
  };
  return {
    optional,
    text(name, fallback) {
      const value = optional(name) ?? fallback;
      if (value === undefined) throw new HttpError(400, `${name} is missing`);
      return value;
    },
    whole(name, { fallback, min, max }) {
      const value = values.get(name);
      const number = value === undefined || value === "" ? fallback : Number(value);
      if (Number.isSafeInteger(number) && number >= min && number <= max) return number;
      throw new HttpError(400, `${name} must be a whole number from ${min} to ${max}`);
    },
    choice(name, choices) {
      const value = optional(name) ?? choices[0];
      const found = choices.find((one) => one === value);
      if (found === undefined) throw new HttpError(400, `${name} must be one of: ${choices.join(", ")}`);
      return found;
    },
    flag: (name) => values.get(name) === true,
  };
}
