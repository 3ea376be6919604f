/** Number of slots of the first table; a power of two, as every later size. */
const INITIAL_SLOTS = 4_096;
/** Number of names above which the table is emptied: those of a large repository, at a few megabytes. */
const MAX_NAMES = 60_000;
/** The multiplier of the Fowler-Noll-Vo hash, which distributes short texts well. */
const HASH_FACTOR = 0x01000193;

let slots: (string | undefined)[] = emptySlots(INITIAL_SLOTS);
let count = 0;

function emptySlots(size: number): (string | undefined)[] {
  return Array.from({ length: size }, () => undefined);
}

/**
 * Returns the part of a text as a string that is the same object each time. Most names of a text repeat: then no string is
 * created, its hash is known to every map, and comparing it with an equal name takes one step. A part of a text would
 * also keep the whole text in memory.
 */
export function internName(text: string, start: number, end: number): string {
  let hash = 0;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR);
  const mask = slots.length - 1;
  for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
    const known = slots[slot];
    if (known === undefined) return addName(text.slice(start, end), slot);
    if (isSame(known, text, start, end)) return known;
  }
}

function isSame(known: string, text: string, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = start, own = 0; at < end; at++, own++)
    if (known.charCodeAt(own) !== text.charCodeAt(at)) return false;
  return true;
}

function addName(part: string, slot: number): string {
  // V8 keeps the whole text alive for a part of it, unless the part is copied.
  const name = part.length < MIN_SLICED_LENGTH ? part : Buffer.from(part, "utf16le").toString("utf16le");
  slots[slot] = name;
  if (++count * 2 > slots.length) growTable();
  return name;
}

/** Length from which V8 makes a part of a string refer to the whole. */
const MIN_SLICED_LENGTH = 13;

function growTable(): void {
  const names = count > MAX_NAMES ? [] : slots.filter((name) => name !== undefined);
  slots = emptySlots(count > MAX_NAMES ? INITIAL_SLOTS : slots.length * 2);
  count = names.length;
  const mask = slots.length - 1;
  for (const name of names) {
    let hash = 0;
    for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), HASH_FACTOR);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (slots[slot] !== undefined) slot = (slot + 1) & mask;
    slots[slot] = name;
  }
}
