import { createHash } from "node:crypto";
import type { Outline } from "../model/symbol.ts";
import { cutUnits, definitionsOf, MAX_LINE_LENGTH, measureLines, type Unit } from "./chunk-units.ts";
import type { Slice } from "./slices.ts";

/** Must be raised when chunking changes: chunks then get other ids and are embedded again. */
const CHUNK_VERSION = 1;

/** Storage key of a blob's slices. It contains the chunking version, because the same content may be cut differently later. */
export function sliceKey(blobKey: string): string {
  return `${blobKey}.${CHUNK_VERSION}`;
}

/** A slice with the text that is embedded for it, except for the path of its file. */
export interface Chunk extends Slice {
  readonly text: string;
}

/**
 * Cuts a text into chunks for embedding. The id of a chunk is a hash of its content without the path, so that a file
 * that moves is not embedded again.
 */
export function chunkText(text: string, outline: Outline | undefined): Chunk[] {
  const lines = measureLines(text);
  const definitions = outline === undefined ? [] : definitionsOf(outline.symbols);
  return cutUnits(lines, definitions).flatMap((unit) => {
    const chunk = chunkOf(unit, lines.lines);
    return chunk === undefined ? [] : [chunk];
  });
}

/** The text that is sent to the provider for a chunk of a file. */
export function embeddedText(path: string, chunk: Chunk): string {
  return `${path}\n${chunk.text}`;
}

/** A chunk without a single word, such as braces or a ruler line, is not embedded. */
const WORD = /[\p{L}\p{N}_]{2}/u;

function chunkOf({ from, to, names }: Unit, lines: readonly string[]): Chunk | undefined {
  let first = from;
  let end = to;
  while (first < end && (lines[first] ?? "").trim() === "") first++;
  while (end > first && (lines[end - 1] ?? "").trim() === "") end--;
  const body = dedent(lines.slice(first, end)).join("\n");
  if (!WORD.test(body)) return undefined;
  const text = names.length === 0 ? body : `${names.join(" > ")}\n${body}`;
  const chunk = createHash("sha256").update(`${CHUNK_VERSION}\0${text}`).digest("base64url").slice(0, 22);
  return { chunk, lineStart: first + 1, lineEnd: end, text };
}

/** Removes the indentation that all lines share: it costs tokens and carries no information. */
function dedent(lines: readonly string[]): string[] {
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines)
    if (line.trim() !== "") common = Math.min(common, line.length - line.trimStart().length);
  const cut = Number.isFinite(common) ? common : 0;
  return lines.map((line) => line.slice(cut, cut + MAX_LINE_LENGTH).trimEnd());
}
