import { createHash } from "node:crypto";
import type { Outline } from "../model/symbol.ts";
import { cutUnits, definitionsOf, measureLines, MOST_LINE, type Unit } from "./chunk-units.ts";
import type { Slice } from "./slices.ts";

/** Raised when texts are cut or written otherwise: chunks then have other names and are embedded anew. */
const CHUNK_VERSION = 1;

/** What names the slices of a blob: how it was cut may change, its content does not. */
export function sliceKey(blobKey: string): string {
  return `${blobKey}.${CHUNK_VERSION}`;
}

/** A slice with the text that stands for it, without the path of the file it was found in. */
export interface Chunk extends Slice {
  readonly text: string;
}

/**
 * Cuts a text for embedding. A chunk is named by its content: the path is not part of the name, so that a file that
 * moves is not embedded again.
 */
export function chunkText(text: string, outline: Outline | undefined): Chunk[] {
  const lines = measureLines(text);
  const definitions = outline === undefined ? [] : definitionsOf(outline.symbols);
  return cutUnits(lines, definitions).flatMap((unit) => {
    const chunk = chunkOf(unit, lines.lines);
    return chunk === undefined ? [] : [chunk];
  });
}

/** The text that is sent for a chunk of a file. */
export function embeddedText(path: string, chunk: Chunk): string {
  return `${path}\n${chunk.text}`;
}

/** Braces and rules alone mean nothing. */
const SAYS_SOMETHING = /[\p{L}\p{N}_]{2}/u;

function chunkOf({ from, to, names }: Unit, lines: readonly string[]): Chunk | undefined {
  let first = from;
  let end = to;
  while (first < end && (lines[first] ?? "").trim() === "") first++;
  while (end > first && (lines[end - 1] ?? "").trim() === "") end--;
  const body = dedent(lines.slice(first, end)).join("\n");
  if (!SAYS_SOMETHING.test(body)) return undefined;
  const text = names.length === 0 ? body : `${names.join(" > ")}\n${body}`;
  const chunk = createHash("sha256").update(`${CHUNK_VERSION}\0${text}`).digest("base64url").slice(0, 22);
  return { chunk, lineStart: first + 1, lineEnd: end, text };
}

/** Indentation that all lines have says nothing and costs tokens. */
function dedent(lines: readonly string[]): string[] {
  let common = Number.POSITIVE_INFINITY;
  for (const line of lines)
    if (line.trim() !== "") common = Math.min(common, line.length - line.trimStart().length);
  const cut = Number.isFinite(common) ? common : 0;
  return lines.map((line) => line.slice(cut, cut + MOST_LINE).trimEnd());
}
