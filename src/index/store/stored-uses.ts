import type { DefinitionMark, ModuleLink, NameUse, UseFacts, UseReceiver, UseRole } from "../../model/use.ts";
import { createByteReader, createByteWriter, type ByteReader } from "./bytes.ts";
import { decodeTypes, encodeTypes } from "./stored-types.ts";

/** The roles in the order of their numbers in stored records; new ones must be appended. */
const ROLES: readonly UseRole[] = [
  "read",
  "call",
  "type",
  "import",
  "export",
  "assignment",
  "decorator",
  "inheritance",
  "string",
  "extension",
];
/** The receivers in the order of their numbers in stored records; new ones must be appended. */
const RECEIVERS: readonly UseReceiver[] = [
  "none",
  "local",
  "previous",
  "self",
  "super",
  "unknown",
  "key",
  "root",
];

const ROLE_NUMBERS = numbersOf(ROLES);
const RECEIVER_NUMBERS = numbersOf(RECEIVERS);

function numbersOf<T extends string>(values: readonly T[]): Readonly<Record<T, number>> {
  // Every value of the type is in the list, so every key of the record exists.
  return Object.fromEntries(values.map((value, number) => [value, number])) as Record<T, number>;
}

/** The marks of definitions in the order of their numbers in stored records; new ones must be appended. */
const MARKS: readonly DefinitionMark[] = ["inner", "hoisted", "exported", "own", "static", "entry"];

const NO_FACTS: UseFacts = { uses: [], links: [], marks: new Map(), isModule: false };

/**
 * Encodes the uses of names in a text. Each name is stored once, the most frequent ones first, so that most uses refer
 * to it with one byte. Lines, names and roles are stored one list after another, because they compress better so.
 */
export function encodeUses({ uses, links, marks, isModule, types }: UseFacts): Buffer {
  if (uses.length === 0 && links.length === 0 && marks.size === 0 && !isModule) return Buffer.alloc(0);
  const { names, numbers } = numberNames(uses);
  const out = createByteWriter(uses.length * 4 + 1_024);
  out.text(names.join("\n"));
  out.number(uses.length);
  const lines = new Uint32Array(uses.length);
  const codes = new Uint32Array(uses.length);
  let line = 0;
  let at = 0;
  for (const use of uses) {
    // Uses are in source order, but a string that spans lines may be listed late by some lines.
    const distance = use.line - line;
    lines[at] = distance >= 0 ? distance * 2 : -distance * 2 - 1;
    codes[at++] = ROLE_NUMBERS[use.role] * RECEIVERS.length + RECEIVER_NUMBERS[use.receiver];
    line = use.line;
  }
  out.numbers(lines);
  out.numbers(numbers);
  out.numbers(codes);
  for (const { receiver, symbol } of uses) if (receiver === "local") out.number((symbol ?? -1) + 1);
  out.number(marks.size * 2 + Number(isModule));
  let last = 0;
  for (const [symbol, mark] of [...marks].sort(([a], [b]) => a - b)) {
    out.number((symbol - last) * MARKS.length + MARKS.indexOf(mark));
    last = symbol;
  }
  out.text(links.length === 0 ? "" : JSON.stringify(links.map(packLink)));
  if (types !== undefined) encodeTypes(types, out);
  return out.bytes();
}

/** Numbers the names by how often they are used, and lists the number of each use. */
function numberNames(uses: readonly NameUse[]): {
  readonly names: readonly string[];
  readonly numbers: Uint32Array;
} {
  const found = new Map<string, number>();
  const names: string[] = [];
  const numbers = new Uint32Array(uses.length);
  let at = 0;
  for (const { name } of uses) {
    const known = found.get(name);
    const number = known ?? names.push(name) - 1;
    if (known === undefined) found.set(name, number);
    numbers[at++] = number;
  }
  const places = placesByCount(numbers, names.length);
  const sorted = Array<string>(names.length).fill("");
  for (const [number, name] of names.entries()) sorted[places[number] ?? 0] = name;
  for (let use = 0; use < numbers.length; use++) numbers[use] = places[numbers[use] ?? 0] ?? 0;
  return { names: sorted, numbers };
}

/** Returns the place of each number, the most frequent first and equally frequent ones in ascending order. */
function placesByCount(numbers: Uint32Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  let most = 0;
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0;
    const count = (counts[number] ?? 0) + 1;
    counts[number] = count;
    if (count > most) most = count;
  }
  /** For each count, how many numbers occur more often, and then the next free place. */
  const next = new Uint32Array(most + 1);
  for (let number = 0; number < size; number++) {
    const below = (counts[number] ?? 0) - 1;
    next[below] = (next[below] ?? 0) + 1;
  }
  for (let count = most, total = 0; count >= 0; count--) {
    total += next[count] ?? 0;
    next[count] = total - (next[count] ?? 0);
  }
  return counts.map((count) => {
    const place = next[count - 1] ?? 0;
    next[count - 1] = place + 1;
    return place;
  });
}

function decodeMarks(input: ByteReader): Pick<UseFacts, "marks" | "isModule"> {
  const count = input.number();
  const marks = new Map<number, DefinitionMark>();
  let symbol = 0;
  for (let left = count >> 1; left > 0; left--) {
    const code = input.number();
    symbol += Math.floor(code / MARKS.length);
    marks.set(symbol, MARKS[code % MARKS.length] ?? "own");
  }
  return { marks, isModule: (count & 1) === 1 };
}

/** A link as it is stored: names that are equal on both sides are written once. */
type PackedLink = readonly [
  flags: number,
  line: number,
  module: string,
  ...names: (string | [string, string])[],
];

const EXPORTS = 1;
const ALL = 2;
const INNER = 4;
const LOCAL = 8;

function packLink({ kind, line, module, names, all, isInner, isLocal }: ModuleLink): PackedLink {
  const flags =
    (kind === "export" ? EXPORTS : 0) |
    (all ? ALL : 0) |
    (isInner === true ? INNER : 0) |
    (isLocal === true ? LOCAL : 0);
  return [
    flags,
    line,
    module,
    ...names.map(({ name, as }): string | [string, string] => (name === as ? name : [name, as])),
  ];
}

function unpackLink([flags, line, module, ...names]: PackedLink): ModuleLink {
  return {
    kind: (flags & EXPORTS) === 0 ? "import" : "export",
    line,
    module,
    names: names.map((name) =>
      typeof name === "string" ? { name, as: name } : { name: name[0], as: name[1] },
    ),
    all: (flags & ALL) !== 0,
    ...((flags & INNER) !== 0 && { isInner: true }),
    ...((flags & LOCAL) !== 0 && { isLocal: true }),
  };
}

/** Decodes the uses of names in a text. */
export function decodeUses(bytes: Uint8Array): UseFacts {
  if (bytes.length === 0) return NO_FACTS;
  const input = createByteReader(bytes);
  const names = input.text().split("\n");
  const count = input.number();
  const lines = new Uint32Array(count);
  for (let at = 0, line = 0; at < count; at++) {
    const code = input.number();
    line += (code & 1) === 0 ? code / 2 : -(code + 1) / 2;
    lines[at] = line;
  }
  const numbers = Array.from({ length: count }, () => input.number());
  const plain = numbers.map((number, at): NameUse => {
    const code = input.number();
    return {
      name: names[number] ?? "",
      line: lines[at] ?? 1,
      role: ROLES[Math.floor(code / RECEIVERS.length)] ?? "read",
      receiver: RECEIVERS[code % RECEIVERS.length] ?? "unknown",
    };
  });
  const uses = plain.map((use): NameUse => {
    const symbol = use.receiver === "local" ? input.number() - 1 : -1;
    return symbol < 0 ? use : { ...use, symbol };
  });
  const marks = decodeMarks(input);
  const links = input.text();
  // The JSON was written by encodeUses of the same version; the store returns no records of other versions.
  const types = input.left() > 0 ? decodeTypes(input) : undefined;
  return {
    uses,
    ...marks,
    links: links === "" ? [] : (JSON.parse(links) as PackedLink[]).map(unpackLink),
    ...(types !== undefined && { types }),
  };
}
