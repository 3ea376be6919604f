// TypeScript for the scripts: Node 20 runs none, so a file is bundled first, used, and removed again.
import { rmSync } from "node:fs";
import { build } from "esbuild";

/** Bundles `entry` into `outfile`, hands it to `use`, and removes it. Where it lies decides what it finds relative to itself. */
export async function withBundle(entry, outfile, use) {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "warning",
  });
  try {
    return await use(outfile);
  } finally {
    rmSync(outfile, { force: true });
  }
}
