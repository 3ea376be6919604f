import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "./random.ts";

export interface Damage {
  readonly path: string;
  readonly way: Way;
}

const WAYS = [
  "flipped",
  "truncated",
  "zeroed",
  "garbage",
  "emptied",
  "removed",
  "folder",
  "swapped",
] as const;
type Way = (typeof WAYS)[number];

/** Damages one file below a folder in one way; `wanted` filters the files. */
export function damage(
  random: Random,
  folder: string,
  wanted: (path: string) => boolean = () => true,
): Damage {
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .sort();
  const chosen = all.filter(wanted);
  const files = chosen.length > 0 ? chosen : all;
  const path = random.pick(files);
  const way = random.pick(WAYS);
  apply(path, way, { random, other: random.pick(all) });
  return { path, way };
}

function apply(path: string, way: Way, { random, other }: { random: Random; other: string }): void {
  const bytes = readFileSync(path);
  const from = random.int(0, bytes.length);
  if (way === "flipped")
    for (let i = random.size(300); i > 0 && bytes.length > 0; i--)
      bytes[random.int(0, bytes.length - 1)] = random.int(0, 255);
  if (way === "zeroed") bytes.fill(0, from, Math.min(bytes.length, from + 4_096));
  if (way === "flipped" || way === "zeroed") writeFileSync(path, bytes);
  if (way === "truncated") truncateSync(path, from);
  if (way === "garbage") writeFileSync(path, random.bytes(random.size(9_000)));
  if (way === "emptied") writeFileSync(path, "");
  if (way === "removed" || way === "folder") rmSync(path, { force: true });
  if (way === "folder") mkdirSync(path);
  if (way === "swapped") writeFileSync(path, readFileSync(other));
}
