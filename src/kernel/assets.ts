import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The URL of the dist/ folder: the folder of the running bundle, or, when tests run from the TypeScript sources, two
 * levels up.
 */
const DIST = import.meta.url.endsWith(".ts")
  ? new URL("../../dist/", import.meta.url)
  : new URL("./", import.meta.url);

/** Returns the path of a file that the build puts into dist/, such as a grammar. */
export function assetPath(name: string): string {
  return fileURLToPath(new URL(name, DIST));
}

/** Returns whether the build has put this file into dist/. */
export function hasAsset(name: string): boolean {
  return existsSync(assetPath(name));
}
