import type { RepositoryMove } from "./repository-move.ts";

/** Definition of one configuration key: how to read it, its default, and its line in the documentation. */
export interface Key<T> {
  readonly kind: string;
  readonly fallback: T;
  readonly about: string;
  /** An environment variable that sets the key in addition to `PITH_<SECTION>_<KEY>`. */
  readonly env?: string;
  /** True if the value is a secret, which `pith config` never shows. */
  readonly secret?: boolean;
  /** Which way a repository's file may move the value. */
  readonly repository: RepositoryMove<T>;
  /**
   * True if the key is accepted from the environment only, because a secret should be neither in a file nor on a
   * command line.
   */
  readonly environmentOnly?: boolean;
  /** True if each configuration layer (flags, environment, files) adds to the list instead of replacing it. */
  readonly additive?: boolean;
  /** Converts a value from TOML, an environment variable or a flag; returns undefined if the value is not valid. */
  read(value: unknown): T | undefined;
}

type Extra<T> = Pick<Key<T>, "repository" | "env" | "secret" | "environmentOnly" | "additive">;

export function text(fallback: string, about: string, extra: Extra<string>): Key<string> {
  return { kind: "text", fallback, about, ...extra, read: (v) => (typeof v === "string" ? v : undefined) };
}

export function flag(fallback: boolean, about: string, extra: Extra<boolean>): Key<boolean> {
  return { kind: "true or false", fallback, about, ...extra, read: readFlag };
}

export function whole(
  fallback: number,
  bounds: readonly [number, number],
  about: string,
  extra: Extra<number>,
): Key<number> {
  const [min, max] = bounds;
  const fits = (n: number): boolean => Number.isSafeInteger(n) && n >= min && n <= max;
  return { kind: `${min} to ${max}`, fallback, about, ...extra, read: (v) => readNumber(v, fits) };
}

export function share(fallback: number, about: string, extra: Extra<number>): Key<number> {
  return { kind: "above 0, to 1", fallback, about, ...extra, read: (v) => readNumber(v, isShare) };
}

/** A share that is not set by default; 0 means that it is not set. */
export function shareOrNone(about: string, extra: Extra<number>): Key<number> {
  const fits = (n: number): boolean => n === 0 || isShare(n);
  return { kind: "0 to 1", fallback: 0, about, ...extra, read: (v) => readNumber(v, fits) };
}

export function choice<const C extends string>(
  choices: readonly C[],
  fallback: C,
  about: string,
  extra: Extra<NoInfer<C>>,
): Key<C> {
  const read = (v: unknown): C | undefined => choices.find((one) => one === v);
  return { kind: choices.join(", "), fallback, about, ...extra, read };
}

export function list(
  fallback: readonly string[],
  about: string,
  extra: Extra<readonly string[]>,
): Key<readonly string[]> {
  return { kind: "list of texts", fallback, about, ...extra, read: readList };
}

export function variables(
  fallback: Readonly<Record<string, string>>,
  about: string,
  extra: Extra<Readonly<Record<string, string>>>,
): Key<Readonly<Record<string, string>>> {
  return { kind: 'table of NAME = "value"', fallback, about, ...extra, read: readVariables };
}

function isShare(n: number): boolean {
  return n > 0 && n <= 1;
}

function readFlag(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  if (value === "true" || value === "1") return true;
  if (value === "false" || value === "0") return false;
  return undefined;
}

function readNumber(value: unknown, fits: (n: number) => boolean): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && fits(number) ? number : undefined;
}

function readList(value: unknown): readonly string[] | undefined {
  if (typeof value === "string")
    return value
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== "");
  if (!Array.isArray(value)) return undefined;
  const items = value.filter((item): item is string => typeof item === "string");
  return items.length === value.length ? items : undefined;
}

const VARIABLE = /^[A-Za-z_]\w*$/;

function readVariables(value: unknown): Readonly<Record<string, string>> | undefined {
  const entries =
    typeof value === "string"
      ? readList(value)?.map((pair): [string, unknown] => {
          const at = pair.indexOf("=");
          return at < 0 ? ["", ""] : [pair.slice(0, at), pair.slice(at + 1)];
        })
      : typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value)
        : undefined;
  const read: Record<string, string> = {};
  for (const [name, text] of entries ?? []) {
    if (!VARIABLE.test(name) || typeof text !== "string" || text.includes("\0")) return undefined;
    read[name] = text;
  }
  return entries === undefined ? undefined : read;
}
