import type { AssignedMember, DefinitionType, TypeFacts, TypeOrigin, TypeSource } from "../../model/use.ts";
import type { ByteReader, ByteWriter } from "./bytes.ts";

/** The origins in the order of their numbers in stored records; new ones must be appended. */
const ORIGINS: readonly TypeOrigin[] = [
  "type",
  "applied",
  "promise",
  "value",
  "awaited",
  "entered",
  "created",
  "language",
  "own",
];
/** Each source is one number: the distance of its use, then its origin, then whether it is a result. */
const CODES_PER_USE = 32;

/** Encodes where a text shows the types of its values. Positions are written as distances, which are small. */
export function encodeTypes({ receivers, definitions, members }: TypeFacts, out: ByteWriter): void {
  out.number(receivers.size);
  let last = 0;
  for (const [position, source] of receivers) {
    out.number(zigzag(position - last));
    out.number(codeOf(source, position, false));
    last = position;
  }
  out.number(definitions.size);
  last = 0;
  let use = 0;
  for (const [symbol, source] of definitions) {
    out.number(zigzag(symbol - last));
    out.number(codeOf(source, use, source.isResult));
    last = symbol;
    use = source.use;
  }
  out.number(members.length);
  for (const { owner, name, ...source } of members) {
    out.number(owner);
    out.text(name);
    out.number(codeOf(source, 0, false));
  }
}

function zigzag(distance: number): number {
  return distance >= 0 ? distance * 2 : -distance * 2 - 1;
}

function unzigzag(code: number): number {
  return (code & 1) === 0 ? code / 2 : -(code + 1) / 2;
}

function codeOf({ origin, use }: TypeSource, near: number, isResult: boolean): number {
  const distance = hasUse(origin) ? zigzag(use - near) : 0;
  return distance * CODES_PER_USE + ORIGINS.indexOf(origin) * 2 + Number(isResult);
}

function hasUse(origin: TypeOrigin): boolean {
  return origin !== "language" && origin !== "own";
}

function sourceOf(code: number, near: number): DefinitionType {
  const origin = ORIGINS[(code % CODES_PER_USE) >> 1] ?? "own";
  const use = hasUse(origin) ? near + unzigzag(Math.floor(code / CODES_PER_USE)) : 0;
  return { origin, use, isResult: (code & 1) === 1 };
}

export function decodeTypes(input: ByteReader): TypeFacts {
  const receivers = new Map<number, TypeSource>();
  let last = 0;
  for (let left = input.number(); left > 0; left--) {
    last += unzigzag(input.number());
    const { origin, use } = sourceOf(input.number(), last);
    receivers.set(last, { origin, use });
  }
  const definitions = new Map<number, DefinitionType>();
  last = 0;
  let near = 0;
  for (let left = input.number(); left > 0; left--) {
    last += unzigzag(input.number());
    const source = sourceOf(input.number(), near);
    definitions.set(last, source);
    near = source.use;
  }
  const members: AssignedMember[] = [];
  for (let left = input.number(); left > 0; left--) {
    const owner = input.number();
    const name = input.text();
    const { origin, use } = sourceOf(input.number(), 0);
    members.push({ owner, name, origin, use });
  }
  return { receivers, definitions, members };
}
