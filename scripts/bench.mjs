// Runs a benchmark of bench/ by name: npm run bench -- startup. Without a name it runs them all.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { withBundle } from "./bundle.mjs";

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
  console.log(`\n# ${name}`);
  // In dist/, where the worker and the grammars are; as deep as the sources, so that their relative paths hold.
  const bundle = join(root, "dist", `.${name}.bundle.mjs`);
  const { status } = await withBundle(join(root, "bench", `${name}.ts`), bundle, (file) =>
    spawnSync(process.execPath, ["--expose-gc", file], { stdio: "inherit" }),
  );
  if (status !== 0) process.exit(status ?? 1);
}
