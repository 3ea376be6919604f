import type { SymbolKind } from "../../model/symbol.ts";
import type { ChunkScores } from "./rank-chunks.ts";
import type { DocumentBrief } from "../store/segment.ts";
import { CHUNK_LINES } from "../text/terms.ts";
import type { View } from "../live/view.ts";

/**
 * The scores of chunks as far as definitions of some kinds hold them: each counts by the share of its lines that belong to
 * such definitions. Words elsewhere in a file say nothing about them.
 */
export function scoresWithinKinds(
  view: View,
  { scores, weights }: ChunkScores,
  kinds: ReadonlySet<SymbolKind>,
): ChunkScores {
  const within = view.segments.map(({ segment, fileOf }, index) => {
    const all = scores[index] ?? new Float32Array();
    const kept = new Float32Array(all.length);
    for (let document = 0; document < fileOf.length; document++) {
      const start = segment.chunkStart[document] ?? 0;
      const end = segment.chunkStart[document + 1] ?? start;
      if ((fileOf[document] ?? -1) < 0 || !hasScore(all, start, end)) continue;
      const shares = sharesOfChunks(segment.document(document), kinds, end - start);
      for (let chunk = start; chunk < end; chunk++)
        kept[chunk] = (all[chunk] ?? 0) * (shares[chunk - start] ?? 0);
    }
    return kept;
  });
  return { scores: within, weights };
}

function hasScore(scores: Float32Array, start: number, end: number): boolean {
  for (let chunk = start; chunk < end; chunk++) if ((scores[chunk] ?? 0) > 0) return true;
  return false;
}

/** For each chunk the share of its lines that definitions of these kinds have. */
function sharesOfChunks(
  { symbols, lineCount }: DocumentBrief,
  kinds: ReadonlySet<SymbolKind>,
  count: number,
): Float32Array {
  const held = new Uint8Array(lineCount + 1);
  for (const { kind, lineStart, lineEnd } of symbols)
    if (kinds.has(kind)) held.fill(1, lineStart, lineEnd + 1);
  const shares = new Float32Array(count);
  for (let chunk = 0; chunk < count; chunk++) {
    const first = chunk * CHUNK_LINES + 1;
    const last = Math.min(lineCount, first + CHUNK_LINES - 1);
    let lines = 0;
    for (let line = first; line <= last; line++) lines += held[line] ?? 0;
    shares[chunk] = lines / Math.max(1, last - first + 1);
  }
  return shares;
}
