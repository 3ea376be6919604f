/** Number of names that the first table has room for; a power of two, as every later size. */
const INITIAL_NAMES = 2_048;
/** Number of names above which the table is emptied: those of a large repository, at a few megabytes. */
const MAX_NAMES = 60_000;

/**
 * A hash table with open addressing that is at most half full. Each slot has the number of a name plus 1 and its hash,
 * side by side for one memory access.
 */
let slots = new Int32Array(INITIAL_NAMES * 4);
let names: string[] = [];
/** The characters of all names, one after another; `starts` has the start of each name and the end of the last one. */
let letters = new Uint16Array(INITIAL_NAMES * 8);
let starts = new Uint32Array(INITIAL_NAMES + 1);

/** Adds a character to the hash of the characters before it; the hash of no characters is 0. */
export function addToHash(hash: number, code: number): number {
  return (hash << 5) ^ (hash >>> 27) ^ code;
}

/**
 * Returns a part of a text as a string that is the same object each time. Most names of a text repeat: then no string is
 * created, its hash is known to every map, and comparing it with an equal name takes one step. A part of a text would
 * also keep the whole text in memory. `hash` is that of the characters between `start` and `end`.
 */
export function internName(characters: Uint16Array, start: number, end: number, hash: number): string {
  const mask = slots.length - 2;
  for (let slot = firstSlot(hash, mask); ; slot = (slot + 2) & mask) {
    const number = slots[slot] ?? 0;
    if (number === 0) return addName(characters, start, end, hash);
    if (slots[slot + 1] === hash && isSame(number - 1, characters, start, end))
      return names[number - 1] ?? "";
  }
}

/** The golden ratio as a fraction of 2^32, by which multiplying distributes hashes that differ in few bits. */
const GOLDEN_RATIO = 0x9e3779b1;

function firstSlot(hash: number, mask: number): number {
  return (Math.imul(hash, GOLDEN_RATIO) >>> 7) & mask & ~1;
}

function isSame(name: number, characters: Uint16Array, start: number, end: number): boolean {
  let own = starts[name] ?? 0;
  if ((starts[name + 1] ?? 0) - own !== end - start) return false;
  for (let at = start; at < end; at++) if (letters[own++] !== characters[at]) return false;
  return true;
}

function addName(characters: Uint16Array, start: number, end: number, hash: number): string {
  if (names.length >= MAX_NAMES) clearTable();
  else if (names.length * 4 >= slots.length) growTable();
  const own = starts[names.length] ?? 0;
  const length = end - start;
  if (own + length > letters.length) {
    const larger = new Uint16Array(Math.max(own + length, letters.length * 2));
    larger.set(letters);
    letters = larger;
  }
  for (let at = 0; at < length; at++) letters[own + at] = characters[start + at] ?? 0;
  const name = Buffer.from(letters.buffer, own * 2, length * 2).toString("utf16le");
  place(names.push(name), hash);
  starts[names.length] = own + length;
  return name;
}

function place(number: number, hash: number): void {
  const mask = slots.length - 2;
  let slot = firstSlot(hash, mask);
  while (slots[slot] !== 0) slot = (slot + 2) & mask;
  slots[slot] = number;
  slots[slot + 1] = hash;
}

function clearTable(): void {
  slots = new Int32Array(INITIAL_NAMES * 4);
  names = [];
  starts = new Uint32Array(INITIAL_NAMES + 1);
}

function growTable(): void {
  const old = slots;
  slots = new Int32Array(old.length * 2);
  for (let slot = 0; slot < old.length; slot += 2) {
    const number = old[slot] ?? 0;
    if (number !== 0) place(number, old[slot + 1] ?? 0);
  }
  const larger = new Uint32Array(slots.length / 4 + 1);
  larger.set(starts);
  starts = larger;
}
