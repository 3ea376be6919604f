import { nearestNames } from "../../kernel/nearest.ts";
import { type TablePlace, tableError } from "./table-error.ts";
import { untrustedPattern } from "./untrusted-pattern.ts";

/** Reads the values of a table by their keys. Each wrong value is an error that says what is wrong and where. */
export class TableReader {
  readonly place: TablePlace;
  readonly #table: Readonly<Record<string, unknown>>;
  readonly #known = new Set<string>();

  constructor(value: unknown, place: TablePlace) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw tableError(place, `expected a table, not ${shown(value)}`);
    this.place = place;
    this.#table = Object.fromEntries(Object.entries(value));
  }

  /** Returns the place of a key of this table. */
  at(key: string | number): TablePlace {
    const path = typeof key === "number" ? `${this.place.path}[${key}]` : `${this.place.path}.${key}`;
    return { file: this.place.file, path };
  }

  text(key: string): string | undefined {
    const value = this.anyText(key);
    if (value?.trim() !== "") return value;
    throw tableError(this.at(key), "the text is empty");
  }

  /** Returns a text that may be empty or blank. */
  anyText(key: string): string | undefined {
    const value = this.#value(key);
    if (value === undefined || typeof value === "string") return value;
    throw tableError(this.at(key), `expected a text, not ${shown(value)}`);
  }

  texts(key: string): readonly string[] | undefined {
    return this.list(key)?.map(({ value, place }) => {
      if (typeof value === "string" && value !== "") return value;
      throw tableError(place, `expected a text, not ${shown(value)}`);
    });
  }

  flag(key: string): boolean | undefined {
    const value = this.#value(key);
    if (value === undefined || typeof value === "boolean") return value;
    throw tableError(this.at(key), `expected true or false, not ${shown(value)}`);
  }

  whole(key: string, [min, max]: readonly [number, number]): number | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max)
      return value;
    throw tableError(this.at(key), `expected a whole number from ${min} to ${max}, not ${shown(value)}`);
  }

  choice<const C extends string>(key: string, choices: readonly C[]): C | undefined {
    const value = this.#value(key);
    const found = choices.find((one) => one === value);
    if (found !== undefined || value === undefined) return found;
    throw tableError(this.at(key), `expected ${choices.join(", ")}, not ${shown(value)}`);
  }

  pattern(key: string): RegExp | undefined {
    const source = this.text(key);
    return source === undefined ? undefined : untrustedPattern(source, this.at(key));
  }

  /** Returns the values of a list, or a single value as a list of one, with the place of each. */
  list(key: string): readonly { readonly value: unknown; readonly place: TablePlace }[] | undefined {
    const value = this.#value(key);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return [{ value, place: this.at(key) }];
    return value.map((one: unknown, index) => ({
      value: one,
      place: { file: this.place.file, path: `${this.place.path}.${key}[${index}]` },
    }));
  }

  /** Returns the table at a key. */
  table(key: string): TableReader | undefined {
    const value = this.#value(key);
    return value === undefined ? undefined : new TableReader(value, this.at(key));
  }

  /** Returns all keys of the table, each of which counts as known. */
  keys(): readonly string[] {
    const keys = Object.keys(this.#table);
    for (const key of keys) this.#known.add(key);
    return keys;
  }

  /** Reports keys that no call has asked for. It is called after all others. */
  end(): void {
    const unknown = Object.keys(this.#table).find((key) => !this.#known.has(key));
    if (unknown === undefined) return;
    const [nearest] = nearestNames(unknown, [...this.#known], 1);
    throw tableError(
      this.at(unknown),
      "unknown key",
      nearest === undefined ? `Known keys: ${[...this.#known].join(", ")}.` : `Did you mean ${nearest}?`,
    );
  }

  #value(key: string): unknown {
    this.#known.add(key);
    return this.#table[key];
  }
}

function shown(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 80) ?? "nothing";
}
