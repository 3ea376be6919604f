import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Layer, Layers } from "./layers.ts";

export interface LayerLimits {
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/**
 * Removes layers that were not used for a long time, then the least recently used ones until the rest fits, and what killed
 * processes have left.
 */
export async function pruneLayers(layers: Layers, { maxBytes, maxAgeMs }: LayerLimits): Promise<void> {
  await layers.removeAbandoned();
  const used: { readonly layer: Layer; readonly at: number }[] = [];
  for (const layer of await layers.list()) {
    const info = await stat(join(layer.folder, "layer.json")).catch(() => undefined);
    if (info !== undefined) used.push({ layer, at: info.mtimeMs });
  }
  used.sort((a, b) => b.at - a.at);
  let bytes = 0;
  for (const [position, { layer, at }] of used.entries()) {
    bytes += layer.info.bytes;
    // The newest one may be larger than the limit, because its job needs it.
    const isTooMuch = position > 0 && bytes > maxBytes;
    if (isTooMuch || Date.now() - at > maxAgeMs) await layers.remove(layer);
  }
}
