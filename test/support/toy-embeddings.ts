/**
 * Computes small deterministic embeddings without a model: every word, its prefix and its letter triples are hashed to a direction, so
 * similar texts get similar vectors.
 */
export function toyEmbedding(text: string, dimensions: number): number[] {
  const vector = new Float64Array(dimensions);
  const add = (feature: string, weight: number): void => {
    const hash = hashOf(feature);
    const at = hash % dimensions;
    vector[at] = (vector[at] ?? 0) + ((hash >>> 16) & 1 ? weight : -weight);
  };
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !COMMON.has(word));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const [word, count] of counts) {
    const weight = 1 + Math.log(count);
    add(`w:${word}`, weight);
    if (word.length > 4) add(`b:${word.slice(0, 5)}`, weight * 0.7);
    for (let at = 0; at + 3 <= word.length; at++) add(`t:${word.slice(at, at + 3)}`, weight * 0.2);
  }
  vector[0] = (vector[0] ?? 0) + 1e-3;
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Array.from(vector, (value) => Math.fround(value / length));
}

const COMMON = new Set(
  "the a an of to in is are and or for with on by it this that be as from how what where when does do return const if else function import export".split(
    " ",
  ),
);

/** The FNV-1a hash. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
