import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** URL of the dist/ folder: the bundle's own folder, or two levels up when tests run from the TypeScript sources. */
const DIST = import.meta.url.endsWith(".ts")
  ? new URL("../../dist/", import.meta.url)
  : new URL("./", import.meta.url);

/** Returns the path of a file that the build puts into dist/, such as a grammar. */
export function assetPath(name: string): string {
  return fileURLToPath(new URL(name, DIST));
}

/** Whether the build has put this file into dist/. */
export function hasAsset(name: string): boolean {
  return existsSync(assetPath(name));
}
