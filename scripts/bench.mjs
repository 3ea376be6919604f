// Runs a benchmark of bench/ by name: npm run bench -- startup. Without a name it runs them all.
import { readdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { spawnSync } from "node:child_process";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const known = readdirSync(join(root, "bench"))
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"));
const wanted = process.argv.slice(2).length > 0 ? process.argv.slice(2) : known;
for (const name of wanted) {
  if (!known.includes(name)) {
    console.error(`No benchmark ${name}; there are ${known.join(", ")}`);
    process.exit(2);
  }
  // In dist/, where the worker and the grammars are; as deep as the sources, so that their relative paths hold.
  const bundle = join(root, "dist", `.${name}.bundle.mjs`);
  await build({
    entryPoints: [join(root, "bench", `${name}.ts`)],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "warning",
  });
  console.log(`\n# ${name}`);
  const { status } = spawnSync(process.execPath, ["--expose-gc", bundle], { stdio: "inherit" });
  rmSync(bundle);
  if (status !== 0) process.exit(status ?? 1);
}
