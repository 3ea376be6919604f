/** A definition and the places that use it, as another tool than Pith finds them. */
export interface TrueUses {
  /** The path relative to the repository, and the line of the definition's name. */
  readonly path: string;
  readonly line: number;
  /** The name, after the name of its class or type if it is a member: `Store.put`. */
  readonly name: string;
  readonly isMember: boolean;
  /** `path:line` of each use. Imports and the definition itself are none. */
  readonly uses: readonly string[];
}

/** What another tool finds in one repository. */
export interface Truth {
  readonly symbols: readonly TrueUses[];
  /** The files that the tool reads; what Pith finds elsewhere is not judged. */
  readonly files: readonly string[];
  /** `path:line name` of places that are not judged, such as an import of the name. */
  readonly ignored: readonly string[];
  /** Folders with a program each, if they are not one program together. */
  readonly programs?: readonly string[];
}

/** Chooses the same definitions on every run, spread over all of them. */
export function sample<T>(all: readonly T[], count: number, keyOf: (one: T) => string): T[] {
  return all
    .map((one) => ({ one, order: hash(keyOf(one)) }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ one }) => one);
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
