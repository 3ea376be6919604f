// Lets scripts use TypeScript: Node 20 cannot run it, so a file is bundled, used, and removed again.
import { rmSync } from "node:fs";
import { build } from "esbuild";

/**
 * Bundles `entry` into `outfile`, passes it to `use`, and removes it. The location of `outfile` decides what its relative paths resolve
 * to.
 */
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
